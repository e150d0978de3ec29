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
/// CLOCK_REALTIME in seconds.
double bk_wall_seconds(void);
/// How long the machine has slept since it started, in nanoseconds: by how much CLOCK_BOOTTIME is ahead of
/// CLOCK_MONOTONIC, or a little less.
int64_t bk_slept_ns(void);
/// Whether a time server keeps the machine's clock (adjtimex(2)); false too where the kernel does not tell.
bool bk_clock_is_kept(void);
/// Sleeps until a CLOCK_MONOTONIC moment (clock_nanosleep(2)); signals do not shorten it.
void bk_sleep_until_ns(int64_t when) RT_SAFE;
/// write(2): bytes written, or -errno. EINTR is tried again.
long bk_write(int fd, const void *bytes, size_t count) RT_SAFE;
/// Whether `path` leads to an anonymous pipe, as /dev/stdout may (statfs(2), PIPEFS_MAGIC): nobody else can open that.
bool bk_is_anonymous_pipe(const char *path);

/// A function that sees, and may change, sound before it is heard, and what it is called with (Rendering's `Tap`).
typedef struct bk_tap {
  void (*process)(void *context, int32_t *samples, ptrdiff_t frames);
  void *context;
} bk_tap;
/// Calls each in its order; that they keep the render thread's rules is their makers' promise.
void bk_tap_run(const bk_tap *taps, ptrdiff_t count, int32_t *samples, ptrdiff_t frames) RT_SAFE;

/// Locks all memory of the program, each page when it is first used (mlockall(2) MCL_ONFAULT), where the limit of
/// locked memory is infinite: under any other the next mmap(2) would fail. Whether it did.
bool bk_lock_all(void);
/// Maps, fills and locks `count` bytes (mmap(2) MAP_POPULATE, mlock(2)); NULL with errno set. `locked` tells whether
/// the lock was granted.
void *bk_map(size_t count, bool *locked);
void bk_unmap(void *bytes, size_t count);

typedef struct bk_thread bk_thread;
/// Starts a thread with a stack of its own, `stack` bytes, below which lies a page that may not be touched. A priority
/// above 0 asks for SCHED_FIFO and locks the stack;
/// where that is not permitted the thread runs as usual and `is_realtime` is false. One below 0 asks to be nice by so
/// much, which may be refused without a word. NULL with errno set on failure.
bk_thread *bk_thread_start(void (*body)(void *), void *context, const char *name, size_t stack, int priority,
                           bool *is_realtime);
/// Waits for the thread's end and frees what it had.
void bk_thread_join(bk_thread *thread);
/// Waits for its end no more: what it had is freed at its end, but for the stack of one that asked for SCHED_FIFO.
void bk_thread_abandon(bk_thread *thread);
/// Starts a thread for which nobody waits, with a stack of `stack` bytes; false where it cannot be had.
bool bk_thread_start_detached(void (*body)(void *), void *context, const char *name, size_t stack);

/// A wake-up flag that poll(2) can wait for (eventfd(2)): descriptor, or -errno.
int bk_event_open(void);
void bk_event_raise(int fd);
void bk_event_clear(int fd);
/// Keeps SIGHUP, SIGINT and SIGTERM from ending the program, and from all threads that this one makes: a descriptor
/// that can be read when one of them came (signalfd(2)), or -errno.
int bk_signal_open(void);
/// The next of them, 0 where none came. Never waits.
int bk_signal_next(int fd);
/// Whether the program was started to live through a signal (sigaction(2)), as nohup(1) does with SIGHUP.
bool bk_signal_is_ignored(int number);
/// The terminal that the program was started from (tty(4)), without waiting: descriptor, or -errno where there is none.
int bk_terminal_open(void);
/// Whether a descriptor's other end was closed, as that of a terminal is that hung up (poll(2) POLLHUP).
bool bk_has_hung_up(int fd);
/// Whether the other side of a connection has ended it, or it broke (poll(2) POLLRDHUP), though not all was read.
bool bk_has_left(int fd);
/// Waits for input on one descriptor: 1 ready, 0 timed out (or a signal came), negative: -errno.
int bk_wait_readable(int fd, int milliseconds);
/// The same on two descriptors, of which the second may be -1: 1 where the first is ready.
int bk_wait_either(int fd, int other, int milliseconds);
/// Descriptors watched together (epoll(7)): a descriptor that can be read when one of them is ready, or -errno.
int bk_watch_open(void);
/// Watches one of them, or changes what for: input, and room for output where it `wants_room`. Closing it ends that.
void bk_watch(int set, int fd, bool wants_room);
/// The same; where it wants no input either, it is not watched, and its end is seen when it is watched again.
void bk_watch_for(int set, int fd, bool wants_input, bool wants_room);
/// Those that are ready now, `most` at most: how many.
int bk_watch_ready(int set, int *fds, int most);
/// Takes a connection that waits, without ever waiting itself (accept4(2)): descriptor, or -errno.
int bk_accept(int listener);

/// A socket on which the kernel tells of links, addresses and routes (rtnetlink(7)): descriptor, or -errno.
int bk_link_open(void);
/// Reads all that the kernel has told: bit 0 where a link, an address or a route came, bit 1 where one went.
int bk_link_changes(int fd);

/// Who sent a datagram: an address as the kernel tells it.
typedef struct {
  _Alignas(8) uint8_t address[128];
  uint32_t size;
} bk_peer;
/// A UDP socket at a free port, for IPv6 and IPv4 where the machine has both: descriptor, or -errno.
int bk_datagram_open(int *port);
/// Reads a datagram without waiting, and tells who sent it: its length, which may be more than there was room for, or
/// -errno.
long bk_datagram_read(int fd, void *bytes, size_t room, bk_peer *peer);
/// Whether a sender is at a numeric address.
bool bk_peer_is(const bk_peer *peer, const char *address);
/// Sends a datagram back without waiting: its length, or -errno.
long bk_datagram_answer(int fd, const void *bytes, size_t count, const bk_peer *peer);

/// Lets all threads share one heap (mallopt(3) M_ARENA_MAX): it is smaller, and the render thread never allocates.
void bk_share_one_heap(void);

/// RssAnon and its peak as seen so far of this process, in KiB (/proc/self/status); 0 where unknown.
long bk_rss_anon_kib(void);
/// The calling process's errno, as the last C call left it.
int bk_errno(void);
/// An error in words (strerror_r(3)), cut where there is no room.
void bk_error_words(int code, char *words, size_t room);
/// Waits until something can be written to a descriptor (poll(2)): 1 ready, 0 timed out, negative: -errno.
int bk_wait_writable(int fd, int milliseconds) RT_SAFE;
/// Bytes that a pipe holds (ioctl(2), FIONREAD), or -errno.
int bk_pipe_fill(int fd) RT_SAFE;
/// Whether somebody has a pipe open for reading (poll(2), POLLERR), of which this end writes.
bool bk_pipe_has_reader(int fd) RT_SAFE;
/// Has a pipe hold so many bytes or a little more (fcntl(2), F_SETPIPE_SZ); without effect where that is refused.
void bk_set_pipe_size(int fd, int bytes);
/// Waits for input on one descriptor; the render thread makes this call only while it is parked or has nothing to play.
int bk_park(int fd, int milliseconds) RT_SAFE;

typedef struct bk_charset bk_charset;
/// A converter from a named encoding to UTF-8 (iconv_open(3)); NULL where the name is not known.
bk_charset *bk_charset_open(const char *name);
void bk_charset_close(bk_charset *charset);
/// Converts, with U+FFFD for what cannot be read; the number of bytes written, `room` at most.
size_t bk_charset_convert(bk_charset *charset, const uint8_t *bytes, size_t count, uint8_t *out, size_t room);

/// What an input device tells (evdev): the kernel's moment on CLOCK_MONOTONIC, and a type, code and value of
/// linux/input-event-codes.h.
typedef struct {
  int64_t nanoseconds;
  uint16_t type;
  uint16_t code;
  int32_t value;
} bk_input_event;
/// Opens an input device (/dev/input/eventN) that is never waited for: descriptor, or -errno.
int bk_input_open(const char *path);
/// Sets the clock of its events, and takes them for us alone if told so: 0, or -errno (EVIOCSCLOCKID, EVIOCGRAB).
int bk_input_set(int fd, bool is_exclusive);
/// What it calls itself: 0, or -errno (EVIOCGNAME).
int bk_input_name(int fd, char *name, size_t room);
/// Between which values an absolute axis goes: 0, or -errno (EVIOCGABS).
int bk_input_range(int fd, int axis, int *least, int *most);
/// Whether a key is held down now: 1, 0, or -errno (EVIOCGKEY).
int bk_input_is_down(int fd, int key);
/// Reads the events that are there, `most` at most: how many, or -errno.
int bk_input_read(int fd, bk_input_event *events, int most);
/// The code of a key or an axis that radios have, by its name ("KEY_PLAYPAUSE", "BTN_0", "REL_X", "ABS_WHEEL"), and
/// its type; -1 where it is not known.
int bk_input_code(const char *name, int *type);
