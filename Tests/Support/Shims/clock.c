// Simulated clocks. Each file contains a number of seconds:
// - BAKELITE_LAG: the wall clock is late, as in a box without a battery.
// - BAKELITE_SLEPT: the machine has slept for this time.
// - BAKELITE_AHEAD: the machine has run for this much longer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long seconds(const char *name) {
  char text[32] = "";
  const char *path = getenv(name);
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  return count > 0 ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int code = real(clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec -= seconds("BAKELITE_LAG");
  // All clocks move together: moving only the wall clock would look like a clock adjustment.
  now->tv_sec += seconds("BAKELITE_AHEAD");
  if (clock == CLOCK_BOOTTIME) now->tv_sec += seconds("BAKELITE_SLEPT");
  return code;
}

// Converts a deadline on the simulated clock, so that the caller does not sleep longer.
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *moment, struct timespec *left) {
  static __typeof__(&clock_nanosleep) real;
  if (!real) real = (__typeof__(&clock_nanosleep))dlsym(RTLD_NEXT, "clock_nanosleep");
  struct timespec until = *moment;
  if (flags & TIMER_ABSTIME) until.tv_sec -= seconds("BAKELITE_AHEAD");
  return real(clock, flags, &until, left);
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *restrict place, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  *place = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
