/// Kernel calls that Swift cannot import directly.
///
/// The render thread may call functions marked RT_SAFE: this header and CALSA's are the audited list. The mark promises
/// @_noLocks and @_noAllocation to the compiler; gate tests check the list.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#define RT_SAFE __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

/// Returns CLOCK_MONOTONIC in nanoseconds (clock_gettime(2), no system call on Linux).
int64_t bk_monotonic_ns(void) RT_SAFE;
double bk_wall_seconds(void);
/// Returns the time in suspend since boot, in nanoseconds: CLOCK_BOOTTIME minus CLOCK_MONOTONIC, or slightly less.
int64_t bk_slept_ns(void);
/// Returns true if the clock is synchronized, as by a time server (adjtimex(2)); false if unknown.
bool bk_clock_is_kept(void);
/// Sleeps until a moment on CLOCK_MONOTONIC (clock_nanosleep(2)); signals do not end the sleep.
void bk_sleep_until_ns(int64_t when) RT_SAFE;
/// Calls write(2), and retries after EINTR; returns the bytes written or -errno.
long bk_write(int fd, const void *bytes, size_t count) RT_SAFE;
/// Returns the bytes that the files in a folder and its subfolders occupy (fts_open(3)). Follows no links. Returns
/// INT64_MAX if the folder is unreadable or has more than `most` entries.
int64_t bk_folder_bytes(const char *path, int most);
/// Marks a file as being written until its descriptor is closed (fcntl(2) F_OFD_SETLK). A refusal is ignored.
void bk_mark_written(int fd);
/// Returns true if another descriptor has marked the file. Locks nothing, so no writer is disturbed.
bool bk_is_written(int fd);
/// Renames a file within an open folder, and replaces no file (renameat2(2), RENAME_NOREPLACE). If the file system has
/// no such flag, makes a link and removes the old name. Returns 0 or -errno.
int bk_rename_new(int folder, const char *from, const char *to);
/// Sends bytes to a Unix socket, and passes an open descriptor with the first byte (sendmsg(2), SCM_RIGHTS). Returns
/// the bytes sent, or -errno.
long bk_send_passing(int socket, const void *bytes, size_t count, int passed);
/// Receives bytes from a Unix socket (recvmsg(2)). `passed`: the descriptor passed with the bytes, or -1. Returns the
/// bytes received, or -errno.
long bk_receive_passed(int socket, void *bytes, size_t count, int *passed);
/// Returns true if `path` is an anonymous pipe, which no other program can open; /dev/stdout may be one (statfs(2),
/// PIPEFS_MAGIC).
bool bk_is_anonymous_pipe(const char *path);

/// A function that may change samples before output, and its context (Rendering's `Tap`).
typedef struct bk_tap {
  void (*process)(void *context, int32_t *samples, ptrdiff_t frames);
  void *context;
} bk_tap;
/// Calls taps in order. For a tap, RT_SAFE is a promise of its author, because the compiler cannot check the tap.
void bk_tap_run(const bk_tap *taps, ptrdiff_t count, int32_t *samples, ptrdiff_t frames) RT_SAFE;

/// Locks each page of the program on first use (mlockall(2) MCL_ONFAULT). Returns false without an infinite limit of
/// locked memory, because the next mmap(2) would fail.
bool bk_lock_all(void);
/// Maps, populates and locks `count` bytes (mmap(2) MAP_POPULATE, mlock(2)); NULL with errno if mmap(2) fails.
/// A refused lock only sets `locked` to false.
void *bk_map(size_t count, bool *locked);
void bk_unmap(void *bytes, size_t count);

typedef struct bk_thread bk_thread;
/// Starts a thread with a stack of `stack` bytes above a guard page; NULL with errno on failure.
/// A positive priority requests SCHED_FIFO and locks the stack. Without permission, `is_realtime` is false and the
/// thread runs normally. A negative priority requests that nice value; a refusal is ignored.
bk_thread *bk_thread_start(void (*body)(void *), void *context, const char *name, size_t stack, int priority,
                           bool *is_realtime);
/// Waits for the thread's end and frees it.
void bk_thread_join(bk_thread *thread);
/// Detaches the thread, which is freed at its end. The stack of a thread with positive priority is never freed.
void bk_thread_abandon(bk_thread *thread);
bool bk_thread_start_detached(void (*body)(void *), void *context, const char *name, size_t stack);

/// Opens a wake flag for poll(2) (eventfd(2)); returns a descriptor or -errno.
int bk_event_open(void);
void bk_event_raise(int fd);
void bk_event_clear(int fd);
/// Blocks SIGHUP, SIGINT and SIGTERM in this thread and in threads that it starts later. Returns a descriptor that is
/// readable after one of these signals (signalfd(2)), or -errno.
int bk_signal_open(void);
/// Removes and returns the next signal; 0 without a signal. Never waits.
int bk_signal_next(int fd);
/// Returns true if the program ignores a signal (sigaction(2)), such as SIGHUP at a start by nohup(1).
bool bk_signal_is_ignored(int number);
/// Opens the controlling terminal (tty(4)) for nonblocking reads; returns a descriptor or -errno.
int bk_terminal_open(void);
/// Returns true if the other end is closed, as after a terminal's hangup (poll(2) POLLHUP).
bool bk_has_hung_up(int fd);
/// Returns true if a connection broke or its peer closed it (poll(2) POLLRDHUP), even with unread bytes.
bool bk_has_left(int fd);
/// Waits until a descriptor is readable; returns 1 if readable, 0 after the timeout or a signal, or -errno.
int bk_wait_readable(int fd, int milliseconds);
/// Waits until `fd` or `other` is readable; `other` may be -1. Returns 1 if `fd` is readable, else 0, or -errno.
int bk_wait_either(int fd, int other, int milliseconds);
/// Opens a set of watched descriptors (epoll(7)), readable when any is ready; returns a descriptor or -errno.
int bk_watch_open(void);
/// Watches a descriptor for input, and for output if `wants_room`, or changes its events. A close removes it.
void bk_watch(int set, int fd, bool wants_room);
/// Watches a descriptor or changes its events. If neither is wanted, removes it: its end is then not reported.
void bk_watch_for(int set, int fd, bool wants_input, bool wants_room);
/// Writes up to `most` ready descriptors, at most 64, and returns their count. Never waits.
int bk_watch_ready(int set, int *fds, int most);
/// Accepts a connection at a nonblocking listener (accept4(2)); returns a nonblocking descriptor or -errno.
int bk_accept(int listener);

/// Opens a socket for changes of links, addresses and routes (rtnetlink(7)); returns a descriptor or -errno.
int bk_link_open(void);
/// Reads the pending changes. Bit 0: a link is up, or an address or route was added. Bit 1: a link is down, or an
/// address or route was removed. Sets both bits if changes were lost.
int bk_link_changes(int fd);

typedef struct {
  _Alignas(8) uint8_t address[128];
  uint32_t size;
} bk_peer;
/// Opens a UDP socket at a free port, for IPv6 and IPv4 or for IPv4 alone; returns a descriptor or -errno.
int bk_datagram_open(int *port);
/// Reads a datagram and its sender without blocking. Returns its length, which may exceed `room`, or -errno.
long bk_datagram_read(int fd, void *bytes, size_t room, bk_peer *peer);
/// Returns true if the peer has this numeric address; ignores a zone.
bool bk_peer_is(const bk_peer *peer, const char *address);
/// Sends a datagram to a peer without blocking; returns its length or -errno.
long bk_datagram_answer(int fd, const void *bytes, size_t count, const bk_peer *peer);

/// Limits malloc to one arena for all threads (mallopt(3) M_ARENA_MAX). One arena uses less memory. The render
/// thread cannot block on the arena's lock: it never allocates.
void bk_share_one_heap(void);

/// Returns RssAnon of this process in KiB (/proc/self/status); 0 if unknown.
long bk_rss_anon_kib(void);
int bk_errno(void);
/// Writes an error's text (strerror_r(3)), cut to `room`.
void bk_error_words(int code, char *words, size_t room);
/// Waits until a descriptor is writable; returns 1 if writable, 0 after the timeout or a signal, or -errno.
int bk_wait_writable(int fd, int milliseconds) RT_SAFE;
/// Returns the number of unread bytes in a pipe (ioctl(2), FIONREAD), or -errno.
int bk_pipe_fill(int fd) RT_SAFE;
/// Returns true if a pipe, given by its write end, has a reader (poll(2), POLLERR).
bool bk_pipe_has_reader(int fd) RT_SAFE;
/// Sets a pipe's size, rounded up (fcntl(2), F_SETPIPE_SZ); a refusal is ignored.
void bk_set_pipe_size(int fd, int bytes);
/// Waits for a wake flag (ppoll(2)) and clears the flag. Returns false after `nanoseconds` or a signal.
bool bk_park(int fd, int64_t nanoseconds) RT_SAFE;

typedef struct bk_charset bk_charset;
/// Opens a converter to UTF-8 (iconv_open(3)); NULL for an unknown encoding.
bk_charset *bk_charset_open(const char *name);
void bk_charset_close(bk_charset *charset);
/// Converts a part of a text, with U+FFFD for each invalid byte. Writes at most `room` bytes and returns their count.
/// `isFirst`: starts another text. `rest`: receives the number of bytes of an incomplete character at the end; if NULL,
/// such bytes are invalid.
size_t bk_charset_convert(bk_charset *charset, bool isFirst, const uint8_t *bytes, size_t count, uint8_t *out,
                          size_t room, size_t *rest);

/// An event of an input device (evdev): CLOCK_MONOTONIC time after `bk_input_set`; type, code and value of
/// linux/input-event-codes.h.
typedef struct {
  int64_t nanoseconds;
  uint16_t type;
  uint16_t code;
  int32_t value;
} bk_input_event;
/// Opens an input device (/dev/input/eventN) for nonblocking reads; returns a descriptor or -errno.
int bk_input_open(const char *path);
/// Sets CLOCK_MONOTONIC for events, and grabs the device if `is_exclusive`; 0 or -errno (EVIOCSCLOCKID, EVIOCGRAB).
int bk_input_set(int fd, bool is_exclusive);
/// Writes the device's name; 0 or -errno (EVIOCGNAME).
int bk_input_name(int fd, char *name, size_t room);
/// Writes the range of an absolute axis; 0 or -errno (EVIOCGABS).
int bk_input_range(int fd, int axis, int *least, int *most);
/// Returns 1 if a key is pressed, 0 if not, or -errno (EVIOCGKEY).
int bk_input_is_down(int fd, int key);
/// Reads up to `most` pending events, at most 64. Returns their count, or -errno; ENODEV if the device is gone.
int bk_input_read(int fd, bk_input_event *events, int most);
/// Returns the code of a key or axis ("KEY_PLAYPAUSE", "BTN_0", "REL_X", "ABS_WHEEL") and sets `type`; -1 if unknown.
int bk_input_code(const char *name, int *type);
