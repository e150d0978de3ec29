// A machine with other limits: threads from the number BAKELITE_THREADS on are refused, and where BAKELITE_MEMLOCK is
// set, the limit of locked memory is infinite, as a service's is.
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
  // One that is asked for again, without real time, is the same.
  if (context != last) count++;
  last = context;
  if (most && count > atoi(most)) return EAGAIN;
  return real(thread, attributes, body, context);
}
