// What a command takes, told by a process too small to be in the figure.
//
//     measure COMMAND ARGUMENT…
//
// Prints the seconds it took, the seconds of processor time, and its largest resident set in KiB; the command's own
// output goes nowhere, its errors where ours go. A process begins as a copy of the one that starts it, and the system
// counts that into its largest memory: started from a script, everything would seem to need what the interpreter needs.

#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
  if (count < 2) return 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  double start = now();
  pid_t child;
  int error = posix_spawnp(&child, arguments[1], &actions, NULL, arguments + 1, environ);
  if (error) {
    fprintf(stderr, "%s: %s\n", arguments[1], strerror(error));
    return 127;
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) < 0) return 1;
  printf("%f %f %ld\n", now() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
