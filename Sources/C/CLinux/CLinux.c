#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <iconv.h>
#include <linux/magic.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int64_t bk_monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double bk_wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int64_t bk_slept_ns(void) {
  struct timespec boot, now;
  // In this order, an interruption between the calls makes the result smaller, never larger.
  clock_gettime(CLOCK_BOOTTIME, &boot);
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (boot.tv_sec - now.tv_sec) * 1000000000 + boot.tv_nsec - now.tv_nsec;
}

bool bk_clock_is_kept(void) {
  struct timex told = {.modes = 0};
  int state = adjtimex(&told);
  return state >= 0 && state != TIME_ERROR;
}

void bk_sleep_until_ns(int64_t when) {
  struct timespec until = {.tv_sec = when / 1000000000, .tv_nsec = when % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
  }
}

long bk_write(int fd, const void *bytes, size_t count) {
  ssize_t written;
  do {
    written = write(fd, bytes, count);
  } while (written < 0 && errno == EINTR);
  return written < 0 ? -errno : written;
}

bool bk_is_anonymous_pipe(const char *path) {
  struct statfs facts;
  return statfs(path, &facts) == 0 && facts.f_type == PIPEFS_MAGIC;
}

void bk_tap_run(const bk_tap *taps, ptrdiff_t count, int32_t *samples, ptrdiff_t frames) {
  for (ptrdiff_t index = 0; index < count; index++) taps[index].process(taps[index].context, samples, frames);
}

bool bk_lock_all(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) < 0 || limit.rlim_cur != RLIM_INFINITY) return false;
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
}

void *bk_map(size_t count, bool *locked) {
  void *bytes = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (bytes == MAP_FAILED) return NULL;
  bool granted = mlock(bytes, count) == 0;
  if (locked) *locked = granted;
  return bytes;
}

void bk_unmap(void *bytes, size_t count) { munmap(bytes, count); }

struct bk_thread {
  pthread_t id;
  void (*body)(void *);
  void *context;
  /// A guard page and the stack above it, if the priority is positive; else NULL.
  void *mapping;
  size_t mapping_size;
  int niceness;
  /// Number of references: the thread, and its starter until join or abandon. The last holder frees the structure.
  atomic_int holders;
  char name[16];
};

static void *run(void *opaque) {
  bk_thread *thread = opaque;
  pthread_setname_np(pthread_self(), thread->name);
  if (thread->niceness < 0) setpriority(PRIO_PROCESS, 0, thread->niceness);
  thread->body(thread->context);
  if (atomic_fetch_sub(&thread->holders, 1) == 1) free(thread);
  return NULL;
}

static bk_thread *thread_new(void (*body)(void *), void *context, const char *name) {
  bk_thread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  thread->body = body;
  thread->context = context;
  atomic_store(&thread->holders, 2);
  snprintf(thread->name, sizeof thread->name, "%s", name);
  return thread;
}

bool bk_thread_start_detached(void (*body)(void *), void *context, const char *name, size_t stack) {
  bk_thread *thread = thread_new(body, context, name);
  if (!thread) return false;
  atomic_store(&thread->holders, 1);
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  stack += 256 * 1024;
#endif
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t id;
  int failure = pthread_create(&id, &attributes, run, thread);
  pthread_attr_destroy(&attributes);
  if (failure) free(thread);
  return failure == 0;
}

bk_thread *bk_thread_start(void (*body)(void *), void *context, const char *name, size_t stack, int priority,
                           bool *is_realtime) {
  bk_thread *thread = thread_new(body, context, name);
  if (!thread) return NULL;
  thread->niceness = priority < 0 ? priority : 0;

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  // Sanitizers use additional stack.
  stack += 256 * 1024;
#endif
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (priority > 0) {
    // pthread_attr_setstack adds no guard: an overflow would overwrite lower memory.
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    char *memory =
        mmap(NULL, guard + stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory != MAP_FAILED) {
      mprotect(memory, guard, PROT_NONE);
      mlock(memory + guard, stack);
      thread->mapping = memory;
      thread->mapping_size = guard + stack;
      pthread_attr_setstack(&attributes, memory + guard, stack);
    }
    struct sched_param parameters = {.sched_priority = priority};
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
  } else {
    pthread_attr_setstacksize(&attributes, stack);
  }

  int failure = pthread_create(&thread->id, &attributes, run, thread);
  if (is_realtime) *is_realtime = priority > 0 && failure == 0;
  if (failure == EPERM && priority > 0) {
    pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED);
    failure = pthread_create(&thread->id, &attributes, run, thread);
  }
  pthread_attr_destroy(&attributes);
  if (failure == 0) return thread;

  if (thread->mapping) munmap(thread->mapping, thread->mapping_size);
  free(thread);
  errno = failure;
  return NULL;
}

void bk_thread_join(bk_thread *thread) {
  pthread_join(thread->id, NULL);
  if (thread->mapping) munmap(thread->mapping, thread->mapping_size);
  free(thread);
}

void bk_thread_abandon(bk_thread *thread) {
  pthread_detach(thread->id);
  if (atomic_fetch_sub(&thread->holders, 1) == 1) free(thread);
}

int bk_signal_open(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGHUP);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  int fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  return fd < 0 ? -errno : fd;
}

int bk_signal_next(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

bool bk_signal_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int bk_terminal_open(void) {
  int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

bool bk_has_hung_up(int fd) {
  struct pollfd one = {.fd = fd};
  return poll(&one, 1, 0) > 0 && (one.revents & (POLLHUP | POLLERR)) != 0;
}

bool bk_has_left(int fd) {
  struct pollfd one = {.fd = fd, .events = POLLRDHUP};
  return poll(&one, 1, 0) > 0 && (one.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

int bk_event_open(void) {
  int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

void bk_event_raise(int fd) {
  uint64_t one = 1;
  ssize_t ignored = write(fd, &one, sizeof one);
  (void)ignored;
}

void bk_event_clear(int fd) {
  uint64_t count;
  ssize_t ignored = read(fd, &count, sizeof count);
  (void)ignored;
}

int bk_watch_open(void) {
  int set = epoll_create1(EPOLL_CLOEXEC);
  return set >= 0 ? set : -errno;
}

void bk_watch(int set, int fd, bool wants_room) { bk_watch_for(set, fd, true, wants_room); }

void bk_watch_for(int set, int fd, bool wants_input, bool wants_room) {
  // epoll reports a socket's end repeatedly, even without requested events.
  if (!wants_input && !wants_room) {
    epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL);
    return;
  }
  struct epoll_event event = {.events = (wants_input ? EPOLLIN : 0) | (wants_room ? EPOLLOUT : 0), .data.fd = fd};
  if (epoll_ctl(set, EPOLL_CTL_MOD, fd, &event) < 0) epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
}

int bk_watch_ready(int set, int *fds, int most) {
  struct epoll_event events[64];
  int count = epoll_wait(set, events, most < 64 ? most : 64, 0);
  for (int i = 0; i < count; i++) fds[i] = events[i].data.fd;
  return count > 0 ? count : 0;
}

int bk_accept(int listener) {
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return connection >= 0 ? connection : -errno;
}

int bk_wait_either(int fd, int other, int milliseconds) {
  struct pollfd two[2] = {{.fd = fd, .events = POLLIN}, {.fd = other, .events = POLLIN}};
  int ready = poll(two, 2, milliseconds);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  return ready > 0 && two[0].revents != 0;
}

int bk_wait_readable(int fd, int milliseconds) {
  struct pollfd one = {.fd = fd, .events = POLLIN};
  int ready = poll(&one, 1, milliseconds);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  return ready > 0;
}

void bk_share_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

long bk_rss_anon_kib(void) {
  FILE *status = fopen("/proc/self/status", "re");
  if (!status) return 0;
  char line[128];
  long kib = 0;
  while (fgets(line, sizeof line, status))
    if (sscanf(line, "RssAnon: %ld", &kib) == 1) break;
  fclose(status);
  return kib;
}

int bk_errno(void) { return errno; }

void bk_error_words(int code, char *words, size_t room) {
  char buffer[128];
  snprintf(words, room, "%s", strerror_r(code, buffer, sizeof buffer));
}

int bk_wait_writable(int fd, int milliseconds) {
  struct pollfd one = {.fd = fd, .events = POLLOUT};
  int ready = poll(&one, 1, milliseconds);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  return ready > 0;
}

int bk_pipe_fill(int fd) {
  int count = 0;
  return ioctl(fd, FIONREAD, &count) < 0 ? -errno : count;
}

bool bk_pipe_has_reader(int fd) {
  struct pollfd one = {.fd = fd, .events = 0};
  return poll(&one, 1, 0) == 0;
}

void bk_set_pipe_size(int fd, int bytes) { (void)fcntl(fd, F_SETPIPE_SZ, bytes); }

bool bk_park(int fd, int64_t nanoseconds) {
  struct pollfd one = {.fd = fd, .events = POLLIN};
  struct timespec left = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  if (ppoll(&one, 1, &left, NULL) <= 0) return false;
  bk_event_clear(fd);
  return true;
}

bk_charset *bk_charset_open(const char *name) {
  iconv_t converter = iconv_open("UTF-8", name);
  return converter == (iconv_t)-1 ? NULL : (bk_charset *)converter;
}

void bk_charset_close(bk_charset *charset) { iconv_close((iconv_t)charset); }

size_t bk_charset_convert(bk_charset *charset, bool isFirst, const uint8_t *bytes, size_t count, uint8_t *out,
                          size_t room, size_t *rest) {
  static const char replacement[] = "\xEF\xBF\xBD";
  iconv_t converter = (iconv_t)charset;
  char *in = (char *)bytes, *to = (char *)out;
  size_t left = count, space = room;
  if (isFirst) iconv(converter, NULL, NULL, NULL, NULL);
  while (left > 0 && iconv(converter, &in, &left, &to, &space) == (size_t)-1 && errno != E2BIG) {
    if (space < 3 || (rest && errno == EINVAL && left <= 8)) break;
    memcpy(to, replacement, 3);
    to += 3, space -= 3;
    in += 1, left -= 1;
  }
  if (rest) *rest = left;
  return room - space;
}

int64_t bk_folder_bytes(const char *path, int most) {
  char *paths[] = {(char *)path, NULL};
  FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
  if (!tree) return INT64_MAX;
  int64_t total = 0;
  FTSENT *entry;
  while (total < INT64_MAX && (entry = fts_read(tree))) {
    int64_t blocks = entry->fts_info == FTS_F ? entry->fts_statp->st_blocks : 0;
    if (most-- <= 0 || __builtin_mul_overflow(blocks, 512, &blocks) || __builtin_add_overflow(total, blocks, &total)) {
      total = INT64_MAX;
    }
  }
  fts_close(tree);
  return total;
}
