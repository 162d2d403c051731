// Preloaded into a program, ends or disturbs it at one of its calls that write, send, synchronise, rename or receive,
// counted over all its threads. Linux only.
//
//   KILL_AT=N        the program is killed in the place of the Nth such call
//   FAIL_AT=N        from the Nth such call on a regular file on the disk is broken: each fails with FAIL_WITH, which is
//                    EIO, or ENOSPC: then only those fail that make a file longer or name one, as on a disk that is full
//   FAIL_ONCE=1      only that one fails
//   CALLS=FILE       gets a line a call: its number, that of those on regular files, its name
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls, file_calls;
static long kill_at = -1, fail_at = -1;
static int fail_with = EIO, fail_once, trace = -1;

__attribute__((constructor)) static void prepare(void) {
  const char *text;
  if ((text = getenv("KILL_AT"))) kill_at = atol(text);
  if ((text = getenv("FAIL_AT"))) fail_at = atol(text);
  if ((text = getenv("FAIL_WITH")) && !strcmp(text, "ENOSPC")) fail_with = ENOSPC;
  fail_once = getenv("FAIL_ONCE") != NULL;
  if ((text = getenv("CALLS"))) trace = open(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_file(int descriptor) {
  struct stat status;
  return descriptor < 0 || (descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode));
}

// Whether the file has no such byte yet; an offset of -1 stands for where it is written next.
static int is_longer(int descriptor, off_t offset, size_t count) {
  struct stat status;
  if (descriptor < 0) return 1;
  if (offset < 0) offset = fcntl(descriptor, F_GETFL) & O_APPEND ? lseek(descriptor, 0, SEEK_END) : lseek(descriptor, 0, SEEK_CUR);
  return count > 0 && fstat(descriptor, &status) == 0 && offset + (off_t)count > status.st_size;
}

// Whether the call is to fail; a descriptor of -1 stands for the names in a directory.
static int disturb(const char *name, int descriptor, off_t offset, size_t count) {
  long number = atomic_fetch_add(&calls, 1) + 1;
  long file_number = is_file(descriptor) ? atomic_fetch_add(&file_calls, 1) + 1 : 0;
  if (trace >= 0) {
    char line[64];
    int length = snprintf(line, sizeof line, "%ld %ld %s\n", number, file_number, name);
    syscall(SYS_write, trace, line, (size_t)length);
  }
  if (number == kill_at) {
    kill(getpid(), SIGKILL);
    pause();
  }
  if (fail_at < 0 || file_number == 0) return 0;
  if (fail_once ? file_number != fail_at : file_number < fail_at) return 0;
  if (fail_with == ENOSPC && !is_longer(descriptor, offset, count)) return 0;
  errno = fail_with;
  return 1;
}

#define WRAP(type, name, parameters, arguments, descriptor, offset, count)    \
  type name parameters {                                                      \
    static type(*next) parameters;                                            \
    if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name);            \
    if (disturb(#name, descriptor, offset, count)) return -1;                 \
    return next arguments;                                                    \
  }

WRAP(ssize_t, write, (int d, const void *b, size_t n), (d, b, n), d, -1, n)
WRAP(ssize_t, pwrite, (int d, const void *b, size_t n, off_t o), (d, b, n, o), d, o, n)
WRAP(ssize_t, pwrite64, (int d, const void *b, size_t n, off64_t o), (d, b, n, o), d, o, n)
WRAP(ssize_t, writev, (int d, const struct iovec *v, int n), (d, v, n), d, -1, 1)
WRAP(int, fsync, (int d), (d), d, 0, 0)
WRAP(int, fdatasync, (int d), (d), d, 0, 0)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1, 0, 0)
WRAP(ssize_t, send, (int d, const void *b, size_t n, int f), (d, b, n, f), d, 0, 0)
WRAP(ssize_t, sendto, (int d, const void *b, size_t n, int f, const struct sockaddr *a, socklen_t l), (d, b, n, f, a, l), d, 0, 0)
WRAP(ssize_t, sendmsg, (int d, const struct msghdr *m, int f), (d, m, f), d, 0, 0)
WRAP(ssize_t, recv, (int d, void *b, size_t n, int f), (d, b, n, f), d, 0, 0)
WRAP(ssize_t, recvfrom, (int d, void *b, size_t n, int f, struct sockaddr *a, socklen_t *l), (d, b, n, f, a, l), d, 0, 0)
WRAP(ssize_t, recvmsg, (int d, struct msghdr *m, int f), (d, m, f), d, 0, 0)

// It answers with the number of the error.
int posix_fallocate(int descriptor, off_t offset, off_t count) {
  static int (*next)(int, off_t, off_t);
  if (!next) next = (int (*)(int, off_t, off_t))dlsym(RTLD_NEXT, "posix_fallocate");
  return disturb("posix_fallocate", descriptor, offset, (size_t)count) ? errno : next(descriptor, offset, count);
}
