#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int bk_input_open(const char *path) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int bk_input_set(int fd, bool is_exclusive) {
  int clock = CLOCK_MONOTONIC;
  if (ioctl(fd, EVIOCSCLOCKID, &clock) < 0) return -errno;
  return is_exclusive && ioctl(fd, EVIOCGRAB, 1) < 0 ? -errno : 0;
}

int bk_input_name(int fd, char *name, size_t room) {
  memset(name, 0, room);
  return ioctl(fd, EVIOCGNAME(room - 1), name) < 0 ? -errno : 0;
}

int bk_input_range(int fd, int axis, int *least, int *most) {
  struct input_absinfo info;
  if (ioctl(fd, EVIOCGABS(axis), &info) < 0) return -errno;
  *least = info.minimum;
  *most = info.maximum;
  return 0;
}

int bk_input_is_down(int fd, int key) {
  uint8_t keys[KEY_MAX / 8 + 1] = {0};
  if (key < 0 || key > KEY_MAX) return -EINVAL;
  if (ioctl(fd, EVIOCGKEY(sizeof keys), keys) < 0) return -errno;
  return keys[key / 8] >> (key % 8) & 1;
}

int bk_input_read(int fd, bk_input_event *events, int most) {
  struct input_event read_events[64];
  size_t room = most < 64 ? (size_t)most : 64;
  ssize_t count = read(fd, read_events, room * sizeof *read_events);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  // A removed device fails with ENODEV. An end of file or a partial event shows that this is not an input device.
  if (count == 0 || count % (ssize_t)sizeof *read_events != 0) return -ENODEV;
  int taken = (int)(count / (ssize_t)sizeof *read_events);
  for (int i = 0; i < taken; i++) {
    const struct input_event *event = &read_events[i];
    events[i] = (bk_input_event){
        .nanoseconds = (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000,
        .type = event->type,
        .code = event->code,
        .value = event->value,
    };
  }
  return taken;
}

#define K(name) {"KEY_" #name, EV_KEY, KEY_##name}
#define B(name) {"BTN_" #name, EV_KEY, BTN_##name}
#define R(name) {"REL_" #name, EV_REL, REL_##name}
#define A(name) {"ABS_" #name, EV_ABS, ABS_##name}

static const struct {
  const char *name;
  int type;
  int code;
} codes[] = {
    // Remotes and media keys.
    K(PLAY), K(PAUSE), K(PLAYPAUSE), K(PLAYCD), K(PAUSECD), K(STOP), K(STOPCD), K(NEXT), K(PREVIOUS), K(NEXTSONG),
    K(PREVIOUSSONG), K(REWIND), K(FASTFORWARD), K(FORWARD), K(BACK), K(RECORD), K(MUTE), K(VOLUMEUP), K(VOLUMEDOWN),
    K(CHANNELUP), K(CHANNELDOWN), K(POWER), K(POWER2), K(SLEEP), K(WAKEUP), K(MENU), K(OK), K(SELECT), K(EXIT), K(HOME),
    K(INFO), K(HELP), K(MODE), K(RADIO), K(TUNER), K(AUDIO), K(MEDIA), K(TV), K(CD), K(LIST), K(FAVORITES), K(SEARCH),
    K(SETUP), K(OPTION), K(TIME), K(CLEAR), K(LAST), K(AGAIN), K(RED), K(GREEN), K(YELLOW), K(BLUE), K(EJECTCD),
    K(NUMERIC_0), K(NUMERIC_1), K(NUMERIC_2), K(NUMERIC_3), K(NUMERIC_4), K(NUMERIC_5), K(NUMERIC_6), K(NUMERIC_7),
    K(NUMERIC_8), K(NUMERIC_9), K(NUMERIC_STAR), K(NUMERIC_POUND), K(PROG1), K(PROG2), K(PROG3), K(PROG4),
    // Keypads and keyboards.
    K(ESC), K(ENTER), K(SPACE), K(TAB), K(BACKSPACE), K(DELETE), K(INSERT), K(UP), K(DOWN), K(LEFT), K(RIGHT), K(END),
    K(PAGEUP), K(PAGEDOWN), K(0), K(1), K(2), K(3), K(4), K(5), K(6), K(7), K(8), K(9), K(MINUS), K(EQUAL), K(COMMA),
    K(DOT), K(SLASH), K(KP0), K(KP1), K(KP2), K(KP3), K(KP4), K(KP5), K(KP6), K(KP7), K(KP8), K(KP9), K(KPENTER),
    K(KPPLUS), K(KPMINUS), K(KPASTERISK), K(KPSLASH), K(KPDOT), K(NUMLOCK), K(A), K(B), K(C), K(D), K(E), K(F), K(G),
    K(H), K(I), K(J), K(K), K(L), K(M), K(N), K(O), K(P), K(Q), K(R), K(S), K(T), K(U), K(V), K(W), K(X), K(Y), K(Z),
    K(F1), K(F2), K(F3), K(F4), K(F5), K(F6), K(F7), K(F8), K(F9), K(F10), K(F11), K(F12), K(F13), K(F14), K(F15),
    // Buttons and knobs of overlays and USB devices.
    B(0), B(1), B(2), B(3), B(4), B(5), B(6), B(7), B(8), B(9), B(LEFT), B(RIGHT), B(MIDDLE), B(TRIGGER), B(SOUTH),
    B(EAST), B(NORTH), B(WEST), B(SELECT), B(START), R(X), R(Y), R(Z), R(RX), R(RY), R(RZ), R(DIAL), R(WHEEL),
    R(HWHEEL), R(MISC), A(X), A(Y), A(Z), A(RX), A(RY), A(RZ), A(WHEEL), A(VOLUME), A(MISC),
};

int bk_input_code(const char *name, int *type) {
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    if (strcmp(codes[i].name, name) != 0) continue;
    *type = codes[i].type;
    return codes[i].code;
  }
  return -1;
}
