/// What Bakelite asks of the kernel and Swift cannot import as it stands.
///
/// A call marked RT_SAFE may be made by the render thread: this header and CALSA's are the audited list. The mark is a
/// promise to the compiler's @_noLocks and @_noAllocation; the gate tests hold it to that.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#define RT_SAFE __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

/// CLOCK_MONOTONIC in nanoseconds (clock_gettime(2), no system call on Linux).
int64_t bk_monotonic_ns(void) RT_SAFE;
/// How many times faster than CLOCK_MONOTONIC time goes for the calling thread, and for those that it starts with
/// bk_thread_start: 1, unless a test wants to live through minutes in seconds. All sleeps and waits here follow it.
void bk_set_clock_speed(int speed);
int bk_clock_speed(void);
/// What another library's poll(2) has to wait, so that it too follows the calling thread's clock.
int bk_real_milliseconds(int milliseconds);
/// CLOCK_REALTIME in seconds.
double bk_wall_seconds(void);
/// Sleeps until a CLOCK_MONOTONIC moment (clock_nanosleep(2)); signals do not shorten it.
void bk_sleep_until_ns(int64_t when) RT_SAFE;
/// write(2): bytes written, or -errno. EINTR is tried again.
long bk_write(int fd, const void *bytes, size_t count) RT_SAFE;

/// Maps, fills and locks `count` bytes (mmap(2) MAP_POPULATE, mlock(2)); NULL with errno set. `locked` tells whether
/// the lock was granted.
void *bk_map(size_t count, bool *locked);
void bk_unmap(void *bytes, size_t count);

typedef struct bk_thread bk_thread;
/// Starts a thread with a stack of its own, `stack` bytes. A priority above 0 asks for SCHED_FIFO and locks the stack;
/// where that is not permitted the thread runs as usual and `is_realtime` is false. One below 0 asks to be nice by so
/// much, which may be refused without a word. NULL with errno set on failure.
bk_thread *bk_thread_start(void (*body)(void *), void *context, const char *name, size_t stack, int priority,
                           bool *is_realtime);
/// Waits for the thread's end and frees what it had.
void bk_thread_join(bk_thread *thread);

/// A wake-up flag that poll(2) can wait for (eventfd(2)): descriptor, or -errno.
int bk_event_open(void);
void bk_event_raise(int fd);
void bk_event_clear(int fd);
/// Waits for input on one descriptor: 1 ready, 0 timed out (or a signal came), negative: -errno.
int bk_wait_readable(int fd, int milliseconds);
/// The same on two descriptors, of which the second may be -1: 1 where the first is ready.
int bk_wait_either(int fd, int other, int milliseconds);
/// Descriptors watched together (epoll(7)): a descriptor that can be read when one of them is ready, or -errno.
int bk_watch_open(void);
/// Watches one of them, or changes what for: input, and room for output where it `wants_room`. Closing it ends that.
void bk_watch(int set, int fd, bool wants_room);
/// Those that are ready now, `most` at most: how many.
int bk_watch_ready(int set, int *fds, int most);
/// Takes a connection that waits, without ever waiting itself (accept4(2)): descriptor, or -errno.
int bk_accept(int listener);

/// A socket on which the kernel tells of links, addresses and routes (rtnetlink(7)): descriptor, or -errno.
int bk_link_open(void);
/// Reads all that the kernel has told: bit 0 where a link, an address or a route came, bit 1 where one went.
int bk_link_changes(int fd);

/// Lets all threads share one heap (mallopt(3) M_ARENA_MAX): it is smaller, and the render thread never allocates.
void bk_share_one_heap(void);

/// RssAnon and its peak as seen so far of this process, in KiB (/proc/self/status); 0 where unknown.
long bk_rss_anon_kib(void);
/// The calling process's errno, as the last C call left it.
int bk_errno(void);
/// Waits until something can be written to a descriptor (poll(2)): 1 ready, 0 timed out, negative: -errno.
int bk_wait_writable(int fd, int milliseconds) RT_SAFE;
/// Waits for input on one descriptor; the render thread makes this call only while it is parked or has nothing to play.
int bk_park(int fd, int milliseconds) RT_SAFE;

typedef struct bk_charset bk_charset;
/// A converter from a named encoding to UTF-8 (iconv_open(3)); NULL where the name is not known.
bk_charset *bk_charset_open(const char *name);
void bk_charset_close(bk_charset *charset);
/// Converts, with U+FFFD for what cannot be read; the number of bytes written, `room` at most.
size_t bk_charset_convert(bk_charset *charset, const uint8_t *bytes, size_t count, uint8_t *out, size_t room);
