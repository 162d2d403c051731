#ifndef CEDITLINE_SHIM_H
#define CEDITLINE_SHIM_H

#ifdef __linux__
// libedit is opened when it is first used.
#include "functions.h"

/// What dlsym takes; NULL if there is no libedit.
void *editline_library(void);
#else
#include <dlfcn.h>
#include <histedit.h>

static inline void *editline_library(void) { return RTLD_DEFAULT; }
#endif
#include <wchar.h>

// libedit is configured through variadic calls, which Swift cannot make:
// each option that LineEditing uses has one typed function here.

/// glibc declares it for X/Open programs only.
extern int wcwidth(wchar_t character);

typedef char *(*editline_prompt_function)(EditLine *);
typedef unsigned char (*editline_key_function)(EditLine *, wint_t);

/// The prompt is asked for at every redraw; text between two `escape`
/// characters takes no room on the screen.
static inline int editline_set_prompt(EditLine *editline, editline_prompt_function prompt, char escape) {
  return el_set(editline, EL_PROMPT_ESC, prompt, escape);
}

/// "emacs" or "vi"; resets every binding.
static inline int editline_set_editor(EditLine *editline, const char *editor) {
  return el_set(editline, EL_EDITOR, editor);
}

/// "emacs" or "vi", owned by libedit until its next call, or NULL.
static inline const char *editline_editor(EditLine *editline) {
  const char *editor = NULL;
  return el_get(editline, EL_EDITOR, &editor) == 0 ? editor : NULL;
}

static inline int editline_add_function(
    EditLine *editline, const char *name, const char *help, editline_key_function function) {
  return el_set(editline, EL_ADDFN, name, help, function);
}

static inline int editline_bind(EditLine *editline, const char *key, const char *function) {
  return el_set(editline, EL_BIND, key, function, NULL);
}

/// Binds in vi's command map.
static inline int editline_bind_command(EditLine *editline, const char *key, const char *function) {
  return el_set(editline, EL_BIND, "-a", key, function, NULL);
}

/// While a line is edited, keys are keys: ^C and ^Z raise no signal, ^S and ^Q
/// do not stop output, carriage return and line feed are not converted.
static inline int editline_take_all_keys(EditLine *editline) {
  return el_set(editline, EL_SETTY, "-d", "-isig", "-ixon", "-inlcr", "-icrnl", NULL);
}

static inline int editline_set_reader(EditLine *editline, el_rfunc_t reader) {
  return el_set(editline, EL_GETCFN, reader);
}

static inline int editline_set_client(EditLine *editline, void *client) {
  return el_set(editline, EL_CLIENTDATA, client);
}

static inline void *editline_client(EditLine *editline) {
  void *client = NULL;
  return el_get(editline, EL_CLIENTDATA, &client) == 0 ? client : NULL;
}

/// Puts the terminal into editing mode (1) or back (0).
static inline int editline_prepare_terminal(EditLine *editline, int editing) {
  return el_set(editline, EL_PREP_TERM, editing);
}

/// Without editing, libedit leaves the terminal's attributes alone.
static inline int editline_set_editing(EditLine *editline, int editing) {
  return el_set(editline, EL_EDITMODE, editing);
}

/// Draws prompt and line again from the cursor's place, which must be the
/// first column.
static inline int editline_redraw(EditLine *editline) {
  return el_set(editline, EL_REFRESH);
}

#endif
