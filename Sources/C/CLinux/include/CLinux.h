/// Kernel calls that Swift cannot import directly.
///
/// The render thread may make calls marked RT_SAFE: this header and CALSA's are the audited list. The mark promises the
/// compiler @_noLocks and @_noAllocation; a gate test checks it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#define RT_SAFE __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

/// Returns CLOCK_MONOTONIC in nanoseconds (clock_gettime(2), no system call on Linux).
int64_t bk_monotonic_ns(void) RT_SAFE;
/// Returns CLOCK_REALTIME in seconds.
double bk_wall_seconds(void);
/// Returns the machine's sleep since its start in nanoseconds: CLOCK_BOOTTIME minus CLOCK_MONOTONIC, possibly slightly
/// less.
int64_t bk_slept_ns(void);
/// Returns true if a time server synchronizes the clock (adjtimex(2)); false if unknown.
bool bk_clock_is_kept(void);
/// Sleeps until a CLOCK_MONOTONIC moment (clock_nanosleep(2)), across signals.
void bk_sleep_until_ns(int64_t when) RT_SAFE;
/// Calls write(2) and retries EINTR; returns the bytes written or -errno.
long bk_write(int fd, const void *bytes, size_t count) RT_SAFE;
/// Returns true if `path` is an anonymous pipe, as /dev/stdout may be (statfs(2), PIPEFS_MAGIC): nobody else can open
/// it.
bool bk_is_anonymous_pipe(const char *path);

/// A tap: a function that may change sound before it is heard, and its context (Rendering's `Tap`).
typedef struct bk_tap {
  void (*process)(void *context, int32_t *samples, ptrdiff_t frames);
  void *context;
} bk_tap;
/// Calls taps in order; their authors promise to obey the render thread's rules.
void bk_tap_run(const bk_tap *taps, ptrdiff_t count, int32_t *samples, ptrdiff_t frames) RT_SAFE;

/// Locks each page of the program on first use (mlockall(2) MCL_ONFAULT) if the limit of locked memory is infinite;
/// with another limit the next mmap(2) would fail. Returns true on success.
bool bk_lock_all(void);
/// Maps, fills and locks `count` bytes (mmap(2) MAP_POPULATE, mlock(2)); NULL with errno on failure. `locked` reports
/// the lock.
void *bk_map(size_t count, bool *locked);
void bk_unmap(void *bytes, size_t count);

typedef struct bk_thread bk_thread;
/// Starts a thread with its own stack of `stack` bytes above a guard page; NULL with errno on failure.
/// A positive priority requests SCHED_FIFO and locks the stack; if not permitted, `is_realtime` is false and the thread
/// runs normally. A negative one requests that nice value, which may be refused silently.
bk_thread *bk_thread_start(void (*body)(void *), void *context, const char *name, size_t stack, int priority,
                           bool *is_realtime);
/// Waits for the thread's end and frees it.
void bk_thread_join(bk_thread *thread);
/// Detaches the thread, which is freed at its end; the stack of a SCHED_FIFO thread is not.
void bk_thread_abandon(bk_thread *thread);
/// Starts a detached thread with a stack of `stack` bytes; false on failure.
bool bk_thread_start_detached(void (*body)(void *), void *context, const char *name, size_t stack);

/// Opens a wake-up flag for poll(2) (eventfd(2)); returns a descriptor or -errno.
int bk_event_open(void);
void bk_event_raise(int fd);
void bk_event_clear(int fd);
/// Blocks SIGHUP, SIGINT and SIGTERM in this thread and its later threads. Returns a descriptor that is readable after
/// one of them (signalfd(2)), or -errno.
int bk_signal_open(void);
/// Returns the next signal, or 0. Never waits.
int bk_signal_next(int fd);
/// Returns true if the program started with a signal ignored (sigaction(2)), as nohup(1) does with SIGHUP.
bool bk_signal_is_ignored(int number);
/// Opens the program's terminal (tty(4)) without blocking; returns a descriptor or -errno.
int bk_terminal_open(void);
/// Returns true if the other end is closed, such as a terminal that hung up (poll(2) POLLHUP).
bool bk_has_hung_up(int fd);
/// Returns true if the peer ended a connection or it broke (poll(2) POLLRDHUP), even with unread bytes.
bool bk_has_left(int fd);
/// Waits until a descriptor is readable: 1 readable, 0 after the timeout or a signal, or -errno.
int bk_wait_readable(int fd, int milliseconds);
/// Waits for two descriptors, the second of which may be -1; returns 1 if the first is readable.
int bk_wait_either(int fd, int other, int milliseconds);
/// Opens a set of watched descriptors (epoll(7)), itself readable when one is ready; returns a descriptor or -errno.
int bk_watch_open(void);
/// Watches a descriptor for input, and for output if `wants_room`. Closing the descriptor removes it.
void bk_watch(int set, int fd, bool wants_room);
/// Watches a descriptor. Without input and output it is not watched, and its end is not reported.
void bk_watch_for(int set, int fd, bool wants_input, bool wants_room);
/// Writes ready descriptors, `most` at most; returns their count.
int bk_watch_ready(int set, int *fds, int most);
/// Accepts a pending connection without blocking (accept4(2)); returns a descriptor or -errno.
int bk_accept(int listener);

/// Opens a socket for changes of links, addresses and routes (rtnetlink(7)); returns a descriptor or -errno.
int bk_link_open(void);
/// Reads all changes: bit 0 if a link, address or route was added, bit 1 if one was removed.
int bk_link_changes(int fd);

/// A datagram's sender.
typedef struct {
  _Alignas(8) uint8_t address[128];
  uint32_t size;
} bk_peer;
/// Opens a UDP socket at a free port, for IPv6 and IPv4 if possible; returns a descriptor or -errno.
int bk_datagram_open(int *port);
/// Reads a datagram and its sender without blocking. Returns its length, which may exceed `room`, or -errno.
long bk_datagram_read(int fd, void *bytes, size_t room, bk_peer *peer);
/// Returns true if the sender has this numeric address.
bool bk_peer_is(const bk_peer *peer, const char *address);
/// Sends a datagram to a peer without blocking; returns its length or -errno.
long bk_datagram_answer(int fd, const void *bytes, size_t count, const bk_peer *peer);

/// Limits malloc to one arena for all threads (mallopt(3) M_ARENA_MAX): it is smaller, and the render thread never
/// allocates.
void bk_share_one_heap(void);

/// Returns this process's RssAnon and its peak so far, in KiB (/proc/self/status); 0 if unknown.
long bk_rss_anon_kib(void);
/// Returns errno of the last C call.
int bk_errno(void);
/// Writes an error in words (strerror_r(3)), cut to `room`.
void bk_error_words(int code, char *words, size_t room);
/// Waits until a descriptor is writable (poll(2)): 1 writable, 0 after the timeout, or -errno.
int bk_wait_writable(int fd, int milliseconds) RT_SAFE;
/// Returns the bytes in a pipe (ioctl(2), FIONREAD), or -errno.
int bk_pipe_fill(int fd) RT_SAFE;
/// Returns true if a pipe has a reader (poll(2), POLLERR).
bool bk_pipe_has_reader(int fd) RT_SAFE;
/// Sets a pipe's size, rounded up (fcntl(2), F_SETPIPE_SZ); ignored if refused.
void bk_set_pipe_size(int fd, int bytes);
/// Waits until a descriptor is readable; the render thread calls it only while parked or idle.
int bk_park(int fd, int milliseconds) RT_SAFE;

typedef struct bk_charset bk_charset;
/// Opens a converter to UTF-8 (iconv_open(3)); NULL for an unknown encoding.
bk_charset *bk_charset_open(const char *name);
void bk_charset_close(bk_charset *charset);
/// Converts text, with U+FFFD for invalid input; returns the bytes written, `room` at most.
size_t bk_charset_convert(bk_charset *charset, const uint8_t *bytes, size_t count, uint8_t *out, size_t room);

/// An event of an input device (evdev): CLOCK_MONOTONIC time, and type, code and value of linux/input-event-codes.h.
typedef struct {
  int64_t nanoseconds;
  uint16_t type;
  uint16_t code;
  int32_t value;
} bk_input_event;
/// Opens an input device (/dev/input/eventN) without blocking; returns a descriptor or -errno.
int bk_input_open(const char *path);
/// Sets the clock of its events, and grabs the device if `is_exclusive`; 0 or -errno (EVIOCSCLOCKID, EVIOCGRAB).
int bk_input_set(int fd, bool is_exclusive);
/// Writes the device's name; 0 or -errno (EVIOCGNAME).
int bk_input_name(int fd, char *name, size_t room);
/// Writes the range of an absolute axis; 0 or -errno (EVIOCGABS).
int bk_input_range(int fd, int axis, int *least, int *most);
/// Returns 1 if a key is pressed, 0 if not, or -errno (EVIOCGKEY).
int bk_input_is_down(int fd, int key);
/// Reads pending events, `most` at most; returns their count or -errno.
int bk_input_read(int fd, bk_input_event *events, int most);
/// Returns the code and type of a key or axis by name ("KEY_PLAYPAUSE", "BTN_0", "REL_X", "ABS_WHEEL"); -1 if unknown.
int bk_input_code(const char *name, int *type);
