// Delays each write to an eventfd by 30 ms, and counts the waits of the main thread in the file BAKELITE_WAITS, a
// 64-bit number.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static _Atomic uint64_t *waits;

__attribute__((constructor)) static void map_waits(void) {
  const char *path = getenv("BAKELITE_WAITS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *place = mmap(NULL, sizeof *waits, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (place != MAP_FAILED) waits = place;
  close(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
  char link[40], path[64] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (count == sizeof(uint64_t) && readlink(link, path, sizeof path - 1) > 0 && strstr(path, "[eventfd]"))
    usleep(30000);
  return NEXT(write)(file, bytes, count);
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  if (waits && milliseconds != 0 && gettid() == getpid()) atomic_fetch_add(waits, 1);
  return NEXT(poll)(files, count, milliseconds);
}
