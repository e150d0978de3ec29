// A machine that has no more threads to give: those from the number BAKELITE_THREADS on are refused.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

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
