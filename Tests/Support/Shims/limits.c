// A machine with other limits. Threads after the number BAKELITE_THREADS are refused. If BAKELITE_MEMLOCK is set, the
// limit for locked memory is infinite, as in a service.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit) {
  static int (*real)(__rlimit_resource_t, struct rlimit *);
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "getrlimit");
  int code = real(resource, limit);
  if (code == 0 && resource == RLIMIT_MEMLOCK && getenv("BAKELITE_MEMLOCK")) limit->rlim_cur = RLIM_INFINITY;
  return code;
}

int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *limit) __attribute__((alias("getrlimit")));

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static void *last;
  static int count;
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_create");
  const char *most = getenv("BAKELITE_THREADS");
  // A second attempt for the same thread, without real-time priority, is not counted.
  if (context != last) count++;
  last = context;
  if (most && count > atoi(most)) return EAGAIN;
  return real(thread, attributes, body, context);
}
