// Stops threads of a process by ptrace(2): `stopthreads PID NAME…` stops all threads with these names, writes "stopped
// COUNT", and continues the threads when its input ends. Exit code 3: the kernel refuses. Exit code 4: no such thread.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int has_name(const char *process, const char *thread, char **names) {
  char path[300], name[32] = "";
  snprintf(path, sizeof path, "/proc/%s/task/%s/comm", process, thread);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  if (!fgets(name, sizeof name, file)) name[0] = 0;
  fclose(file);
  name[strcspn(name, "\n")] = 0;
  for (; *names; names++) {
    if (strcmp(name, *names) == 0) return 1;
  }
  return 0;
}

static int stop(pid_t thread) {
  int state;
  if (ptrace(PTRACE_SEIZE, thread, 0, 0) || ptrace(PTRACE_INTERRUPT, thread, 0, 0)) return 0;
  return waitpid(thread, &state, __WALL) == thread && WIFSTOPPED(state);
}

int main(int count, char **words) {
  char path[64], byte;
  pid_t stopped[64];
  int stoppedCount = 0;
  if (count < 3) return 2;
  snprintf(path, sizeof path, "/proc/%s/task", words[1]);
  DIR *threads = opendir(path);
  if (!threads) return 2;
  for (struct dirent *entry; (entry = readdir(threads)) && stoppedCount < 64;) {
    if (entry->d_name[0] == '.' || !has_name(words[1], entry->d_name, words + 2)) continue;
    pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
    if (!stop(thread)) {
      perror("ptrace");
      return 3;
    }
    stopped[stoppedCount++] = thread;
  }
  closedir(threads);
  if (stoppedCount == 0) return 4;
  printf("stopped %d\n", stoppedCount);
  fflush(stdout);
  while (read(STDIN_FILENO, &byte, 1) > 0) {}
  for (int index = 0; index < stoppedCount; index++) ptrace(PTRACE_DETACH, stopped[index], 0, 0);
  return 0;
}
