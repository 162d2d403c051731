#include "opened_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void *opened_library(struct opened_library *library) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  void *handle = __atomic_load_n(&library->handle, __ATOMIC_ACQUIRE);
  if (handle) return handle;
  pthread_mutex_lock(&lock);
  handle = library->handle ? library->handle : dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
  for (size_t index = 0; handle && index < library->count; index++) {
    library->functions[index] = dlsym(handle, library->names[index]);
    if (!library->functions[index]) handle = NULL;
  }
  __atomic_store_n(&library->handle, handle, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return handle;
}

void opened_library_needed(struct opened_library *library) {
  if (opened_library(library)) return;
  fprintf(stderr, "%s cannot be opened\n", library->file);
  abort();
}
