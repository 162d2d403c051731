/* Keeps what programs throw away. Loaded with LD_PRELOAD, it gives every file that is about to be removed, replaced or
   emptied a second name in the directory $KEEP_FILES (for one that is emptied, a copy), including files that are still
   written after they have lost their name. What is read from the master of a pseudo-terminal, which is everything that
   a terminal would show, is copied there. Programs that are started are watched in the same way, whatever environment
   they are given. Scripts/canary-search is its only user. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *directory;
static atomic_int count;

__attribute__((constructor)) static void begin(void) { directory = getenv("KEEP_FILES"); }

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_kept(int at, const char *path, struct stat *status) {
  return directory && path && fstatat(at, path, status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status->st_mode);
}

static void name_copy(char *copy, size_t size, const char *path) {
  const char *slash = strrchr(path, '/');
  snprintf(copy, size, "%s/%d-%d-%s", directory, getpid(), atomic_fetch_add(&count, 1), slash ? slash + 1 : path);
}

/* Before the name goes. */
static void keep(int at, const char *path) {
  int error = errno;
  struct stat status;
  char copy[4096];
  if (is_kept(at, path, &status)) {
    name_copy(copy, sizeof copy, path);
    linkat(at, path, AT_FDCWD, copy, 0);
  }
  errno = error;
}

/* Before the content goes. */
static void keep_content(int at, const char *path) {
  int error = errno;
  struct stat status;
  char copy[4096], bytes[65536];
  if (is_kept(at, path, &status) && status.st_size > 0) {
    name_copy(copy, sizeof copy, path);
    int from = NEXT(openat)(at, path, O_RDONLY | O_CLOEXEC);
    int to = NEXT(openat)(AT_FDCWD, copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ssize_t got;
    while (from >= 0 && to >= 0 && (got = NEXT(read)(from, bytes, sizeof bytes)) > 0)
      if (write(to, bytes, got) != got) break;
    close(from);
    close(to);
  }
  errno = error;
}

int unlink(const char *path) {
  keep(AT_FDCWD, path);
  return NEXT(unlink)(path);
}

int unlinkat(int at, const char *path, int flags) {
  keep(at, path);
  return NEXT(unlinkat)(at, path, flags);
}

int remove(const char *path) {
  keep(AT_FDCWD, path);
  return NEXT(remove)(path);
}

int rename(const char *from, const char *to) {
  keep(AT_FDCWD, to);
  return NEXT(rename)(from, to);
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
  keep(to_at, to);
  return NEXT(renameat)(from_at, from, to_at, to);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  keep(to_at, to);
  return NEXT(renameat2)(from_at, from, to_at, to, flags);
}

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                                         \
  int name(const char *path, int flags, ...) {                             \
    va_list arguments;                                                     \
    va_start(arguments, flags);                                            \
    mode_t mode = mode_of(flags, arguments);                               \
    va_end(arguments);                                                     \
    if (flags & O_TRUNC) keep_content(AT_FDCWD, path);                     \
    return NEXT(name)(path, flags, mode);                                  \
  }
#define OPENAT(name)                                                       \
  int name(int at, const char *path, int flags, ...) {                     \
    va_list arguments;                                                     \
    va_start(arguments, flags);                                            \
    mode_t mode = mode_of(flags, arguments);                               \
    va_end(arguments);                                                     \
    if (flags & O_TRUNC) keep_content(at, path);                           \
    return NEXT(name)(at, path, flags, mode);                              \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

ssize_t read(int descriptor, void *bytes, size_t size) {
  ssize_t got = NEXT(read)(descriptor, bytes, size);
  int error = errno;
  unsigned number;
  if (directory && got > 0 && ioctl(descriptor, TIOCGPTN, &number) == 0) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d-%u.terminal", directory, getpid(), number);
    int copy = NEXT(openat)(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (copy >= 0 && write(copy, bytes, got) < 0) perror(path);
    close(copy);
  }
  errno = error;
  return got;
}

/* The environment with what this library needs; a little memory is lost for each program that is started. */
static char **watched(char *const *environment) {
  static const char *const names[] = {"LD_PRELOAD", "KEEP_FILES", "TMPDIR"};
  size_t given = 0;
  while (environment && environment[given]) given++;
  char **result = calloc(given + 4, sizeof *result);
  if (!directory || !result) return (char **)environment;
  if (given) memcpy(result, environment, given * sizeof *result);
  for (size_t index = 0; index < 3; index++) {
    const char *value = getenv(names[index]);
    size_t length = strlen(names[index]), other = 0;
    while (other < given && (strncmp(result[other], names[index], length) || result[other][length] != '=')) other++;
    if (value && other == given && asprintf(&result[given], "%s=%s", names[index], value) > 0) given++;
  }
  return result;
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
  return NEXT(posix_spawn)(process, path, actions, attributes, arguments, watched(environment));
}

int posix_spawnp(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
  return NEXT(posix_spawnp)(process, path, actions, attributes, arguments, watched(environment));
}

int execve(const char *path, char *const *arguments, char *const *environment) {
  return NEXT(execve)(path, arguments, watched(environment));
}
