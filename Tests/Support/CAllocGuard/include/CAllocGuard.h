/// Counts forbidden calls of real-time threads, by replacing functions of the C library and of Swift's runtime.
///
/// For tests only. A program that links this target calls these versions of malloc, pthread_mutex_lock and
/// swift_retain, which count and then call the originals. A thread counts its own calls between `guard_start` and
/// `guard_stop`. `guard_arm` counts the calls of other threads by name.
///
/// Not counted: runtime calls inside libswiftCore, glibc's own locks, and the futex of Swift's Mutex. The compiler
/// checks these with @_noLocks and @_noAllocation.
#pragma once

#include <stdbool.h>

typedef struct {
  /// malloc, calloc, realloc, memalign, posix_memalign, aligned_alloc.
  long allocations;
  /// free, except of NULL.
  long frees;
  /// swift_allocObject; its malloc also counts as an allocation.
  long objects;
  /// pthread_mutex_lock, pthread_rwlock_rdlock, pthread_rwlock_wrlock.
  long locks;
  /// pthread_cond_wait, pthread_cond_timedwait.
  long waits;
  /// swift_retain, swift_bridgeObjectRetain.
  long retains;
  /// swift_release, swift_bridgeObjectRelease.
  long releases;
  /// swift_once: access to a lazily initialised global.
  long onces;
  /// swift_beginAccess: an exclusivity check. Counted separately because it takes no lock.
  long accesses;
} guard_counts;

/// Returns false under a sanitizer, which has its own malloc: nothing is counted.
bool guard_works(void);

/// Starts counting for the calling thread.
void guard_start(void);
/// Stops counting and returns the calling thread's counts since `guard_start`.
guard_counts guard_stop(void);

/// Starts counting for all threads with this name (pthread_setname_np, at most 15 characters).
void guard_arm(const char *name);
/// Stops counting and returns the sum for all threads with the name since `guard_arm`.
guard_counts guard_disarm(void);
/// Writes the backtrace of an armed thread's first counted call to standard error, if there is one.
void guard_blame(void);

/// Makes the `number`th next snd_pcm_writei to this ALSA device fail. It returns the negative `error` and writes
/// nothing.
void guard_fail_write(const char *device, long number, long error);
/// Limits the write before the failing write to `frames` frames.
void guard_cut_write(unsigned long frames);
