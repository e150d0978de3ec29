// The wall clock of a box without a battery: it lags behind by as many seconds as the file BAKELITE_LAG says. And a
// machine that has slept for as many as the file BAKELITE_SLEPT says. A machine that has run for longer than it has, by
// as many as the file BAKELITE_AHEAD says.
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
  // All clocks run on together: a wall clock that moved by itself would be one that was set.
  now->tv_sec += seconds("BAKELITE_AHEAD");
  if (clock == CLOCK_BOOTTIME) now->tv_sec += seconds("BAKELITE_SLEPT");
  return code;
}

// Who sleeps until a moment of that clock sleeps no longer for it.
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
