#pragma once

#include <histedit.h>
#include <opened_library.h>

// What is used of libedit; see opened_library.h.
#define EDITLINE_FUNCTIONS(fixed, variadic)                                                                            \
  fixed(EditLine *, el_init, (const char *program, FILE *input, FILE *output, FILE *errors),                           \
        (program, input, output, errors))                                                                              \
  fixed(void, el_end, (EditLine *editline), (editline))                                                                \
  fixed(const char *, el_gets, (EditLine *editline, int *count), (editline, count))                                    \
  fixed(int, el_wgetc, (EditLine *editline, wchar_t *character), (editline, character))                                \
  fixed(void, el_push, (EditLine *editline, const char *text), (editline, text))                                       \
  fixed(void, el_beep, (EditLine *editline), (editline))                                                               \
  fixed(int, el_parse, (EditLine *editline, int count, const char **words), (editline, count, words))                  \
  fixed(void, el_resize, (EditLine *editline), (editline))                                                             \
  fixed(int, el_cursor, (EditLine *editline, int distance), (editline, distance))                                      \
  fixed(const LineInfo *, el_line, (EditLine *editline), (editline))                                                   \
  fixed(int, el_insertstr, (EditLine *editline, const char *text), (editline, text))                                   \
  fixed(void, el_deletestr, (EditLine *editline, int count), (editline, count))                                        \
  fixed(Tokenizer *, tok_init, (const char *separators), (separators))                                                 \
  fixed(void, tok_end, (Tokenizer *tokenizer), (tokenizer))                                                            \
  fixed(void, tok_reset, (Tokenizer *tokenizer), (tokenizer))                                                          \
  fixed(int, tok_str, (Tokenizer *tokenizer, const char *line, int *count, const char ***words),                       \
        (tokenizer, line, count, words))                                                                               \
  variadic(el_set)                                                                                                     \
  variadic(el_get)

OPENED_TABLE(editline_functions, EDITLINE_FUNCTIONS)

#define el_set editline_functions()->el_set
#define el_get editline_functions()->el_get
