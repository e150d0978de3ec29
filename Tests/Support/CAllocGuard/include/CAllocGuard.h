/// Counts what a real-time thread must not do, by standing in front of the C library's and Swift's runtime's functions.
///
/// For tests only: a program that links this target calls its malloc, its pthread_mutex_lock and its swift_retain,
/// which count and pass on. A thread counts itself between `guard_start` and `guard_stop`; `guard_arm` counts a thread
/// that a test cannot reach into, by its name. Not seen are the runtime's calls inside libswiftCore, glibc's own locks,
/// and a futex that Swift's Mutex waits on: the compiler's @_noLocks and @_noAllocation see to those.
#pragma once

#include <stdbool.h>

typedef struct {
  /// malloc, calloc, realloc, memalign, posix_memalign, aligned_alloc.
  long allocations;
  /// free, of anything but NULL.
  long frees;
  /// swift_allocObject; the malloc below it counts as well.
  long objects;
  /// pthread_mutex_lock, pthread_rwlock_rdlock, pthread_rwlock_wrlock.
  long locks;
  /// pthread_cond_wait, pthread_cond_timedwait.
  long waits;
  /// swift_retain, swift_bridgeObjectRetain.
  long retains;
  /// swift_release, swift_bridgeObjectRelease.
  long releases;
  /// swift_once: a lazily initialised global was touched.
  long onces;
  /// swift_beginAccess: an exclusivity check. It takes no lock, so it is told apart.
  long accesses;
} guard_counts;

/// Whether anything is counted: a sanitizer brings a malloc of its own, and the guard steps aside.
bool guard_works(void);

/// The calling thread counts itself from here on.
void guard_start(void);
/// What the calling thread counted since `guard_start`; ends its counting.
guard_counts guard_stop(void);

/// From here on, every thread that has this name (pthread_setname_np, 15 characters at most) is counted.
void guard_arm(const char *name);
/// What the threads of that name did since `guard_arm`, together; ends their counting.
guard_counts guard_disarm(void);
/// Writes the way to the first offence of an armed thread, if there was one, to standard error.
void guard_blame(void);

/// From here on, one snd_pcm_writei to the ALSA device opened by this name gives a negative error and writes nothing:
/// the first of them, the second, and so on.
void guard_fail_write(const char *device, long number, long error);
/// The write before the one that fails next takes so many frames and no more.
void guard_cut_write(unsigned long frames);
