// Simulates a file that is replaced while it is read.
// While the file BAKELITE_HOLD.rename exists, replacing owner.toml blocks. While BAKELITE_HOLD.close exists, the main
// thread blocks before it closes owner.toml. A blocked thread creates a file with this name and the ending ".waits".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void hold(const char *call) {
  char path[600], told[620];
  const char *hold = getenv("BAKELITE_HOLD");
  if (!hold) return;
  snprintf(path, sizeof path, "%s.%s", hold, call);
  snprintf(told, sizeof told, "%s.waits", path);
  while (access(path, F_OK) == 0) {
    int file = open(told, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) NEXT(close)(file);
    usleep(1000);
  }
}

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  if (strcmp(new, "owner.toml") == 0) hold("rename");
  return NEXT(renameat)(old_folder, old, new_folder, new);
}

int close(int file) {
  char link[40], path[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (gettid() == getpid() && readlink(link, path, sizeof path - 1) > 11 &&
      strcmp(path + strlen(path) - 11, "/owner.toml") == 0)
    hold("close");
  return NEXT(close)(file);
}
