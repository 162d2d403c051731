#pragma once

#include <stddef.h>

// A library of the system that is opened when it is first used: to load it with the program would cost every start,
// also of what never uses it. libcurl alone brings 25 others, which is more than half of a start.
//
// A header lists the functions that are used, as LIST(fixed, variadic), with entries
//
//   fixed(CURLcode, curl_easy_pause, (CURL *easy, int bits), (easy, bits))
//   variadic(curl_easy_setopt)
//
// OPENED_TABLE makes of the list a type with a pointer to each, and OPENED_LIBRARY defines functions of the same names
// that go through such a table. They are hidden, so the library itself does not find them in place of its own. A
// variadic function cannot be passed on: whoever calls it takes it from the table.

#define OPENED_HIDDEN __attribute__((visibility("hidden")))

#define OPENED_MEMBER(result, name, parameters, arguments) __typeof__(name) *name;
#define OPENED_VARIADIC_MEMBER(name) __typeof__(name) *name;
#define OPENED_TABLE(table, LIST)                                                                                      \
  struct table {                                                                                                       \
    LIST(OPENED_MEMBER, OPENED_VARIADIC_MEMBER)                                                                        \
  };                                                                                                                   \
  /* The functions; the process ends if the library is not there. */                                                   \
  const struct table *table(void);

#define OPENED_NAME(result, name, parameters, arguments) #name,
#define OPENED_VARIADIC_NAME(name) #name,
#define OPENED_LIBRARY(table, opened, file, LIST)                                                                      \
  static const char *const names[] = {LIST(OPENED_NAME, OPENED_VARIADIC_NAME)};                                        \
  static struct table functions;                                                                                       \
  static struct opened_library library = {file, names, (void **)&functions, sizeof names / sizeof *names, 0};          \
  OPENED_HIDDEN void *opened(void) { return opened_library(&library); }                                                \
  OPENED_HIDDEN const struct table *table(void) {                                                                      \
    if (!__atomic_load_n(&library.handle, __ATOMIC_ACQUIRE)) opened_library_needed(&library);                          \
    return &functions;                                                                                                 \
  }

struct opened_library {
  const char *file;
  const char *const *names;
  void **functions;
  size_t count;
  void *handle;
};

// What dlsym takes; NULL if the library is not there, or lacks one of the functions. From any thread.
void *opened_library(struct opened_library *library);

// Ends the process if the library is not there: its user has not asked.
void opened_library_needed(struct opened_library *library);
