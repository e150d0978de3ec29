#define _GNU_SOURCE
#include "CAllocGuard.h"

#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STEPS_ASIDE
#endif
#endif

#ifdef STEPS_ASIDE

static const guard_counts nothing;
bool guard_works(void) { return false; }
void guard_start(void) {}
guard_counts guard_stop(void) { return nothing; }
void guard_arm(const char *name) { (void)name; }
guard_counts guard_disarm(void) { return nothing; }
void guard_blame(void) {}
void guard_fail_write(const char *device, long number, long error) { (void)device, (void)number, (void)error; }
void guard_cut_write(unsigned long frames) { (void)frames; }

#else

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#define FIELDS (sizeof(guard_counts) / sizeof(long))
#define FIELD(name) (offsetof(guard_counts, name) / sizeof(long))

// MARK: Counting

/// Counts of the calling thread.
static __thread bool is_counting;
static __thread long own[FIELDS];

/// The armed name and the sum of its threads' counts. The generation is odd while a name is armed.
static char armed_name[16];
static unsigned generation;
static long armed[FIELDS];

/// True if this thread had the armed name at the last check, and the generation of that check.
static __thread unsigned asked_generation;
static __thread bool is_armed;

/// Backtrace of the first counted call of an armed thread.
static void *way[32];
static int way_length;
static __thread bool is_tracing;

static bool has_armed_name(unsigned now) {
  if (asked_generation != now) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    is_armed = strncmp(name, armed_name, sizeof name) == 0;
    asked_generation = now;
  }
  return is_armed;
}

static void trace(void) {
  int none = 0;
  if (!__atomic_compare_exchange_n(&way_length, &none, -1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  is_tracing = true;
  int length = backtrace(way, sizeof way / sizeof *way);
  is_tracing = false;
  __atomic_store_n(&way_length, length, __ATOMIC_RELEASE);
}

static inline void count(size_t field) {
  if (is_counting) own[field]++;
  unsigned now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  if (now % 2 == 0 || is_tracing || !has_armed_name(now)) return;
  __atomic_fetch_add(&armed[field], 1, __ATOMIC_RELAXED);
  if (field != FIELD(accesses)) trace();
}

bool guard_works(void) { return true; }

void guard_start(void) {
  memset(own, 0, sizeof own);
  is_counting = true;
}

guard_counts guard_stop(void) {
  is_counting = false;
  guard_counts counts;
  memcpy(&counts, own, sizeof counts);
  return counts;
}

void guard_arm(const char *name) {
  // The first backtrace loads the unwinder; that must not happen on an armed thread.
  backtrace(way, 1);
  strncpy(armed_name, name, sizeof armed_name - 1);
  for (size_t field = 0; field < FIELDS; field++) __atomic_store_n(&armed[field], 0, __ATOMIC_RELAXED);
  way_length = 0;
  __atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
}

guard_counts guard_disarm(void) {
  __atomic_fetch_add(&generation, 1, __ATOMIC_ACQ_REL);
  guard_counts counts;
  for (size_t field = 0; field < FIELDS; field++)
    ((long *)&counts)[field] = __atomic_load_n(&armed[field], __ATOMIC_RELAXED);
  return counts;
}

void guard_blame(void) {
  int length = __atomic_load_n(&way_length, __ATOMIC_ACQUIRE);
  if (length > 0) backtrace_symbols_fd(way, length, STDERR_FILENO);
}

// MARK: Memory, forwarded to glibc's internal names

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

void *malloc(size_t size) {
  count(FIELD(allocations));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(FIELD(allocations));
  return __libc_calloc(number, size);
}

void *realloc(void *bytes, size_t size) {
  count(FIELD(allocations));
  return __libc_realloc(bytes, size);
}

void *memalign(size_t alignment, size_t size) {
  count(FIELD(allocations));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **bytes, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *found = memalign(alignment, size);
  if (!found) return ENOMEM;
  *bytes = found;
  return 0;
}

void free(void *bytes) {
  if (bytes) count(FIELD(frees));
  __libc_free(bytes);
}

// MARK: Locks and Swift's runtime, forwarded to the next library

/// Returns the next definition of a function and caches it. A version is necessary for condition variables: dlsym may
/// find their first version on x86-64, which has another layout.
static void *next(void **kept, const char *name, const char *version) {
  void *found = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
  if (found) return found;
  if (version) found = dlvsym(RTLD_NEXT, name, version);
  if (!found) found = dlsym(RTLD_NEXT, name);
  __atomic_store_n(kept, found, __ATOMIC_RELEASE);
  return found;
}

#define PASS_ON(field, version, name, result, parameters, ...) \
  result name parameters {                                     \
    static void *kept;                                         \
    count(FIELD(field));                                       \
    return ((result(*) parameters)next(&kept, #name, version))(__VA_ARGS__); \
  }

PASS_ON(locks, NULL, pthread_mutex_lock, int, (pthread_mutex_t * mutex), mutex)
PASS_ON(locks, NULL, pthread_rwlock_rdlock, int, (pthread_rwlock_t * lock), lock)
PASS_ON(locks, NULL, pthread_rwlock_wrlock, int, (pthread_rwlock_t * lock), lock)
PASS_ON(waits, "GLIBC_2.3.2", pthread_cond_wait, int, (pthread_cond_t * condition, pthread_mutex_t *mutex), condition,
        mutex)
PASS_ON(waits, "GLIBC_2.3.2", pthread_cond_timedwait, int,
        (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *until), condition, mutex, until)

/// Swift's reference counting uses a calling convention that preserves nearly all registers. Preserving more is safe.
#define SPARING __attribute__((preserve_most))

SPARING PASS_ON(retains, NULL, swift_retain, void *, (void *object), object)
SPARING PASS_ON(releases, NULL, swift_release, void, (void *object), object)
SPARING PASS_ON(retains, NULL, swift_bridgeObjectRetain, void *, (void *object), object)
SPARING PASS_ON(releases, NULL, swift_bridgeObjectRelease, void, (void *object), object)
PASS_ON(objects, NULL, swift_allocObject, void *, (const void *type, size_t size, size_t mask), type, size, mask)
PASS_ON(onces, NULL, swift_once, void, (void *once, void (*body)(void *), void *context), once, body, context)
PASS_ON(accesses, NULL, swift_beginAccess, void, (void *at, void *buffer, uintptr_t flags, void *from), at, buffer,
        flags, from)

// MARK: A sound card that fails once

typedef struct snd_pcm snd_pcm;

static char failing_device[32];
static long writes_to_failure;
static long failure;
static unsigned long frames_before;

void guard_cut_write(unsigned long frames) { __atomic_store_n(&frames_before, frames, __ATOMIC_RELEASE); }

void guard_fail_write(const char *device, long number, long error) {
  strncpy(failing_device, device, sizeof failing_device - 1);
  failure = error;
  __atomic_store_n(&writes_to_failure, number, __ATOMIC_RELEASE);
}

/// The simulated card, if the program links it (CCard).
extern bool card_takes(snd_pcm *pcm, const void *frames, unsigned long count, long *result) __attribute__((weak));

long snd_pcm_writei(snd_pcm *pcm, const void *frames, unsigned long count) {
  static void *kept, *kept_name;
  long result;
  if (card_takes && card_takes(pcm, frames, count, &result)) return result;
  if (__atomic_load_n(&writes_to_failure, __ATOMIC_ACQUIRE) > 0) {
    const char *name = ((const char *(*)(snd_pcm *))next(&kept_name, "snd_pcm_name", NULL))(pcm);
    if (strcmp(name, failing_device) == 0) {
      long left = __atomic_sub_fetch(&writes_to_failure, 1, __ATOMIC_ACQ_REL);
      if (left == 0) return failure;
      unsigned long most = left == 1 ? __atomic_exchange_n(&frames_before, 0, __ATOMIC_ACQ_REL) : 0;
      if (most > 0 && most < count) count = most;
    }
  }
  return ((long (*)(snd_pcm *, const void *, unsigned long))next(&kept, "snd_pcm_writei", NULL))(pcm, frames, count);
}

/// Forces a new check of a renamed thread.
int pthread_setname_np(pthread_t thread, const char *name) {
  static void *kept;
  asked_generation = 0;
  return ((int (*)(pthread_t, const char *))next(&kept, "pthread_setname_np", NULL))(thread, name);
}

#endif
