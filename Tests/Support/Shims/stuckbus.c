// A /dev/i2c-1 that accepts an address and never finishes a transfer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int bus = -1;

static int is_bus(const char *path) { return strcmp(path, "/dev/i2c-1") == 0; }

int open(const char *path, int flags, ...) {
  static int (*real)(const char *, int, ...);
  if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  if (is_bus(path)) return bus = real("/dev/null", flags);
  return real(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int ioctl(int file, unsigned long request, ...) {
  static int (*real)(int, unsigned long, void *);
  if (!real) real = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  return file == bus && bus >= 0 ? 0 : real(file, request, argument);
}

ssize_t write(int file, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  while (file == bus && bus >= 0) pause();
  return real(file, bytes, count);
}
