// A disk that logs calls: each fsync, fdatasync and renameat adds a line to the file BAKELITE_DISK_LOG.
// While the file BAKELITE_DISK_STALL exists, writes to *.mp3 files block.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t (*real_write)(int, const void *, size_t);

static void tell(const char *call, const char *first, const char *second) {
  char line[600];
  const char *path = getenv("BAKELITE_DISK_LOG");
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  int count = snprintf(line, sizeof line, "%s %s%s%s\n", call, first, *second ? " " : "", second);
  if (NEXT(write)(file, line, (size_t)count) != count) abort();
  close(file);
}

/// Copies the name of an open file without its path; "folder" for a folder.
static void name_of(int file, char name[256]) {
  char link[40], path[4096] = "";
  struct stat status;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, path, sizeof path - 1) < 0) path[0] = 0;
  const char *last = strrchr(path, '/');
  int is_folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  snprintf(name, 256, "%s", is_folder ? "folder" : last ? last + 1 : path);
}

int fsync(int file) {
  char name[256];
  name_of(file, name);
  tell("fsync", name, "");
  return NEXT(fsync)(file);
}

int fdatasync(int file) {
  char name[256];
  name_of(file, name);
  tell("fdatasync", name, "");
  return NEXT(fdatasync)(file);
}

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  tell("rename", old, new);
  return NEXT(renameat)(old_folder, old, new_folder, new);
}

ssize_t write(int file, const void *bytes, size_t count) {
  const char *stall = getenv("BAKELITE_DISK_STALL");
  if (!real_write) real_write = NEXT(write);
  if (stall) {
    char name[256];
    name_of(file, name);
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".mp3") == 0)
      while (access(stall, F_OK) == 0) usleep(2000);
  }
  return real_write(file, bytes, count);
}
