#include "CBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define PATH "/org/mpris/MediaPlayer2"
#define ROOT "org.mpris.MediaPlayer2"
#define PLAYER "org.mpris.MediaPlayer2.Player"
#define NAME "org.mpris.MediaPlayer2.bakelite"

// Orders that wait for the player. A client that sends more gets an error.
#define MOST_ORDERS 32

#define CALLS(X)                                                                                                  \
  X(sd_bus_new) X(sd_bus_set_fd) X(sd_bus_set_bus_client) X(sd_bus_set_trusted) X(sd_bus_negotiate_fds)           \
  X(sd_bus_start) X(sd_bus_close) X(sd_bus_unref) X(sd_bus_process) X(sd_bus_is_ready)                            \
  X(sd_bus_get_n_queued_write) X(sd_bus_add_object_vtable) X(sd_bus_request_name_async) X(sd_bus_emit_signal)     \
  X(sd_bus_emit_properties_changed_strv) X(sd_bus_error_set_const) X(sd_bus_message_append)                       \
  X(sd_bus_message_open_container) X(sd_bus_message_close_container) X(sd_bus_message_read)                       \
  X(sd_bus_reply_method_return)

// The functions of the loaded library; NULL before `bk_bus_load`.
#define POINTER(name) __typeof__(&name) name;
static struct { CALLS(POINTER) } api;

struct bk_bus {
  sd_bus *bus;
  bool has_requested, has_suffix, is_named, has_failed;
  bk_bus_facts facts;
  char texts[4][BK_BUS_TEXT_ROOM];
  bk_bus_order orders[MOST_ORDERS];
  unsigned first, count;
};

// MARK: Orders

static bool add(bk_bus *bus, bk_bus_order order) {
  if (bus->count == MOST_ORDERS) return false;
  bus->orders[(bus->first + bus->count++) % MOST_ORDERS] = order;
  return true;
}

static int obey(bk_bus *bus, sd_bus_message *call, bk_bus_order order, sd_bus_error *error) {
  if (!add(bus, order)) {
    return api.sd_bus_error_set_const(error, SD_BUS_ERROR_LIMITS_EXCEEDED, "Too many orders wait; retry later.");
  }
  return api.sd_bus_reply_method_return(call, "");
}

#define SIMPLE(function, order_kind)                                                \
  static int function(sd_bus_message *call, void *context, sd_bus_error *error) {   \
    return obey(context, call, (bk_bus_order){.kind = order_kind}, error);          \
  }
SIMPLE(play, BK_BUS_PLAY)
SIMPLE(pause_playback, BK_BUS_PAUSE)
SIMPLE(toggle, BK_BUS_TOGGLE)
SIMPLE(stop, BK_BUS_STOP)
SIMPLE(next, BK_BUS_NEXT)
SIMPLE(previous, BK_BUS_PREVIOUS)

static int quit(sd_bus_message *call, void *context, sd_bus_error *error) {
  bk_bus *bus = context;
  if (bus->facts.can_quit) return obey(bus, call, (bk_bus_order){.kind = BK_BUS_QUIT}, error);
  return api.sd_bus_error_set_const(error, SD_BUS_ERROR_NOT_SUPPORTED, "Clients cannot end the radio.");
}

static int raise_window(sd_bus_message *call, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  return api.sd_bus_reply_method_return(call, "");
}

static int open_uri(sd_bus_message *call, void *context, sd_bus_error *error) {
  (void)call, (void)context;
  return api.sd_bus_error_set_const(error, SD_BUS_ERROR_NOT_SUPPORTED, "Bakelite plays only its own addresses.");
}

static int seek(sd_bus_message *call, void *context, sd_bus_error *error) {
  bk_bus_order order = {.kind = BK_BUS_SEEK};
  int code = api.sd_bus_message_read(call, "x", &order.microseconds);
  return code < 0 ? code : obey(context, call, order, error);
}

static void write_track(const bk_bus *bus, char *path, size_t room) {
  if (bus->facts.track == 0) snprintf(path, room, "/org/mpris/MediaPlayer2/TrackList/NoTrack");
  else snprintf(path, room, "/bakelite/track/%u", bus->facts.track);
}

// An order for another track came too late, and MPRIS demands to ignore it.
static int set_position(sd_bus_message *call, void *context, sd_bus_error *error) {
  bk_bus *bus = context;
  bk_bus_order order = {.kind = BK_BUS_GO_TO};
  const char *track = NULL;
  char current[64];
  int code = api.sd_bus_message_read(call, "ox", &track, &order.microseconds);
  if (code < 0) return code;
  write_track(bus, current, sizeof current);
  bool is_outside = order.microseconds < 0 || (bus->facts.length > 0 && order.microseconds > bus->facts.length);
  if (is_outside || strcmp(track, current) != 0) return api.sd_bus_reply_method_return(call, "");
  return obey(bus, call, order, error);
}

// MARK: Properties

#define PROPERTY(function)                                                                                        \
  static int function(sd_bus *connection, const char *path, const char *interface, const char *property,          \
                      sd_bus_message *message, void *context, sd_bus_error *error)
#define UNUSED (void)connection, (void)path, (void)interface, (void)property, (void)context, (void)error

PROPERTY(is_true) {
  UNUSED;
  return api.sd_bus_message_append(message, "b", 1);
}

PROPERTY(is_false) {
  UNUSED;
  return api.sd_bus_message_append(message, "b", 0);
}

PROPERTY(is_mortal) {
  UNUSED;
  return api.sd_bus_message_append(message, "b", (int)((bk_bus *)context)->facts.can_quit);
}

PROPERTY(identity) {
  UNUSED;
  return api.sd_bus_message_append(message, "s", "Bakelite");
}

PROPERTY(schemes) {
  UNUSED;
  return api.sd_bus_message_append(message, "as", 3, "http", "https", "file");
}

PROPERTY(types) {
  UNUSED;
  return api.sd_bus_message_append(message, "as", 8, "audio/mpeg", "audio/aac", "audio/aacp", "audio/ogg",
                                   "application/ogg", "audio/flac", "audio/wav", "audio/aiff");
}

PROPERTY(playback_status) {
  UNUSED;
  bk_bus_status status = ((bk_bus *)context)->facts.status;
  const char *word = status == BK_BUS_PLAYING ? "Playing" : status == BK_BUS_PAUSED ? "Paused" : "Stopped";
  return api.sd_bus_message_append(message, "s", word);
}

PROPERTY(rate) {
  UNUSED;
  return api.sd_bus_message_append(message, "d", 1.0);
}

// MPRIS defines the rate 0 as a pause. The only other rate is 1.
PROPERTY(set_rate) {
  UNUSED;
  double value = 1;
  int code = api.sd_bus_message_read(message, "d", &value);
  if (code >= 0 && value == 0) add(context, (bk_bus_order){.kind = BK_BUS_PAUSE});
  return code;
}

PROPERTY(volume) {
  UNUSED;
  return api.sd_bus_message_append(message, "d", ((bk_bus *)context)->facts.volume);
}

PROPERTY(set_volume) {
  UNUSED;
  bk_bus_order order = {.kind = BK_BUS_VOLUME};
  int code = api.sd_bus_message_read(message, "d", &order.volume);
  if (code < 0) return code;
  if (!__builtin_isfinite(order.volume)) {
    return api.sd_bus_error_set_const(error, SD_BUS_ERROR_INVALID_ARGS, "The volume is no finite number.");
  }
  order.volume = order.volume < 0 ? 0 : order.volume > 1 ? 1 : order.volume;
  add(context, order);
  return code;
}

PROPERTY(position) {
  UNUSED;
  return api.sd_bus_message_append(message, "x", ((bk_bus *)context)->facts.position);
}

PROPERTY(ability) {
  UNUSED;
  const bk_bus_facts *facts = &((bk_bus *)context)->facts;
  bool is_able = strcmp(property, "CanGoNext") == 0       ? facts->can_go_next
                 : strcmp(property, "CanGoPrevious") == 0 ? facts->can_go_previous
                 : strcmp(property, "CanPlay") == 0       ? facts->can_play
                 : strcmp(property, "CanPause") == 0      ? facts->can_pause
                                                          : facts->can_seek;
  return api.sd_bus_message_append(message, "b", (int)is_able);
}

PROPERTY(metadata) {
  UNUSED;
  const bk_bus *bus = context;
  const char *title = bus->texts[BK_BUS_TITLE], *artist = bus->texts[BK_BUS_ARTIST];
  const char *album = bus->texts[BK_BUS_ALBUM], *url = bus->texts[BK_BUS_URL];
  char track[64];
  write_track(bus, track, sizeof track);
  int code = api.sd_bus_message_open_container(message, 'a', "{sv}");
  if (code >= 0) code = api.sd_bus_message_append(message, "{sv}", "mpris:trackid", "o", track);
  if (code >= 0 && bus->facts.length > 0) {
    code = api.sd_bus_message_append(message, "{sv}", "mpris:length", "x", bus->facts.length);
  }
  if (code >= 0 && *title) code = api.sd_bus_message_append(message, "{sv}", "xesam:title", "s", title);
  if (code >= 0 && *artist) code = api.sd_bus_message_append(message, "{sv}", "xesam:artist", "as", 1, artist);
  if (code >= 0 && *album) code = api.sd_bus_message_append(message, "{sv}", "xesam:album", "s", album);
  if (code >= 0 && *url) code = api.sd_bus_message_append(message, "{sv}", "xesam:url", "s", url);
  return code < 0 ? code : api.sd_bus_message_close_container(message);
}

// MARK: Interfaces

// A session bus admits only this user's programs, and the policy of the system bus selects the programs that may call.
// Without the flag, sd-bus waits until the bus reports a caller's rights.
// sd-bus refuses the flag for properties that clients only read.
#define OPEN SD_BUS_VTABLE_UNPRIVILEGED
#define CONSTANT SD_BUS_VTABLE_PROPERTY_CONST
#define CHANGES SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE
// SD_BUS_VTABLE_START, without a reference to the library: `bk_bus_load` sets it.
#define START                                                                                                     \
  { .type = _SD_BUS_VTABLE_START,                                                                                 \
    .x = { .start = { .element_size = sizeof(sd_bus_vtable), .features = _SD_BUS_VTABLE_PARAM_NAMES } } }

static sd_bus_vtable root_table[] = {
    START,
    SD_BUS_METHOD("Raise", "", "", raise_window, OPEN),
    SD_BUS_METHOD("Quit", "", "", quit, OPEN),
    SD_BUS_PROPERTY("CanQuit", "b", is_mortal, 0, CONSTANT),
    SD_BUS_PROPERTY("CanRaise", "b", is_false, 0, CONSTANT),
    SD_BUS_PROPERTY("HasTrackList", "b", is_false, 0, CONSTANT),
    SD_BUS_PROPERTY("Identity", "s", identity, 0, CONSTANT),
    SD_BUS_PROPERTY("SupportedUriSchemes", "as", schemes, 0, CONSTANT),
    SD_BUS_PROPERTY("SupportedMimeTypes", "as", types, 0, CONSTANT),
    SD_BUS_VTABLE_END,
};

static sd_bus_vtable player_table[] = {
    START,
    SD_BUS_METHOD("Next", "", "", next, OPEN),
    SD_BUS_METHOD("Previous", "", "", previous, OPEN),
    SD_BUS_METHOD("Pause", "", "", pause_playback, OPEN),
    SD_BUS_METHOD("PlayPause", "", "", toggle, OPEN),
    SD_BUS_METHOD("Stop", "", "", stop, OPEN),
    SD_BUS_METHOD("Play", "", "", play, OPEN),
    SD_BUS_METHOD_WITH_NAMES("Seek", "x", SD_BUS_PARAM(Offset), "", "", seek, OPEN),
    SD_BUS_METHOD_WITH_NAMES("SetPosition", "ox", SD_BUS_PARAM(TrackId) SD_BUS_PARAM(Position), "", "", set_position,
                             OPEN),
    SD_BUS_METHOD_WITH_NAMES("OpenUri", "s", SD_BUS_PARAM(Uri), "", "", open_uri, OPEN),
    SD_BUS_SIGNAL_WITH_NAMES("Seeked", "x", SD_BUS_PARAM(Position), 0),
    SD_BUS_PROPERTY("PlaybackStatus", "s", playback_status, 0, CHANGES),
    SD_BUS_WRITABLE_PROPERTY("Rate", "d", rate, set_rate, 0, OPEN | CHANGES),
    SD_BUS_PROPERTY("MinimumRate", "d", rate, 0, CONSTANT),
    SD_BUS_PROPERTY("MaximumRate", "d", rate, 0, CONSTANT),
    SD_BUS_PROPERTY("Metadata", "a{sv}", metadata, 0, CHANGES),
    SD_BUS_WRITABLE_PROPERTY("Volume", "d", volume, set_volume, 0, OPEN | CHANGES),
    SD_BUS_PROPERTY("Position", "x", position, 0, 0),
    SD_BUS_PROPERTY("CanGoNext", "b", ability, 0, CHANGES),
    SD_BUS_PROPERTY("CanGoPrevious", "b", ability, 0, CHANGES),
    SD_BUS_PROPERTY("CanPlay", "b", ability, 0, CHANGES),
    SD_BUS_PROPERTY("CanPause", "b", ability, 0, CHANGES),
    SD_BUS_PROPERTY("CanSeek", "b", ability, 0, CHANGES),
    SD_BUS_PROPERTY("CanControl", "b", is_true, 0, CONSTANT),
    SD_BUS_VTABLE_END,
};

// MARK: The connection

bool bk_bus_load(void) {
  if (root_table[0].x.start.vtable_format_reference) return true;
  // Stays loaded: the library may have handlers for the end of a thread.
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
#define FIND(name)                                                           \
  *(void **)&api.name = dlsym(library, #name);                               \
  if (!api.name) return false;
  CALLS(FIND)
  const unsigned *format = dlsym(library, "sd_bus_object_vtable_format");
  player_table[0].x.start.vtable_format_reference = root_table[0].x.start.vtable_format_reference = format;
  return format != NULL;
}

bk_bus *bk_bus_start(int fd) {
  bk_bus *bus = calloc(1, sizeof *bus);
  if (!bus || api.sd_bus_new(&bus->bus) < 0) {
    free(bus);
    close(fd);
    return NULL;
  }
  if (api.sd_bus_set_fd(bus->bus, fd, fd) < 0) {
    close(fd);
  } else if (api.sd_bus_set_bus_client(bus->bus, 1) >= 0 && api.sd_bus_set_trusted(bus->bus, 1) >= 0 &&
             api.sd_bus_negotiate_fds(bus->bus, 0) >= 0 &&
             api.sd_bus_add_object_vtable(bus->bus, NULL, PATH, ROOT, root_table, bus) >= 0 &&
             api.sd_bus_add_object_vtable(bus->bus, NULL, PATH, PLAYER, player_table, bus) >= 0 &&
             api.sd_bus_start(bus->bus) >= 0) {
    return bus;
  }
  bk_bus_stop(bus);
  return NULL;
}

void bk_bus_stop(bk_bus *bus) {
  if (!bus) return;
  api.sd_bus_close(bus->bus);
  api.sd_bus_unref(bus->bus);
  free(bus);
}

static int named(sd_bus_message *answer, void *context, sd_bus_error *error) {
  (void)error;
  bk_bus *bus = context;
  uint32_t code = 0;
  // 1: this program owns the name.
  if (api.sd_bus_message_read(answer, "u", &code) >= 0 && code == 1) bus->is_named = true;
  else if (bus->has_suffix) bus->has_failed = true;
  else bus->has_suffix = true, bus->has_requested = false;
  return 1;
}

static int request_name(bk_bus *bus) {
  char name[96];
  snprintf(name, sizeof name, bus->has_suffix ? NAME ".instance%ld" : NAME, (long)getpid());
  bus->has_requested = true;
  return api.sd_bus_request_name_async(bus->bus, NULL, name, 0, named, bus);
}

int bk_bus_process(bk_bus *bus, int most) {
  int count = 0, code = 1;
  while (code > 0 && count < most) {
    code = api.sd_bus_process(bus->bus, NULL);
    if (code > 0) count++;
    if (code >= 0 && !bus->has_requested && api.sd_bus_is_ready(bus->bus) > 0) code = request_name(bus) < 0 ? -EIO : 1;
  }
  if (bus->has_failed) return -EADDRINUSE;
  return code < 0 ? code : count;
}

uint64_t bk_bus_waiting(bk_bus *bus) {
  uint64_t count = 0;
  api.sd_bus_get_n_queued_write(bus->bus, &count);
  return count;
}

bool bk_bus_is_named(const bk_bus *bus) { return bus->is_named; }

void bk_bus_show(bk_bus *bus, const bk_bus_facts *facts) { bus->facts = *facts; }

void bk_bus_write(bk_bus *bus, bk_bus_text text, const char *words) {
  snprintf(bus->texts[text], BK_BUS_TEXT_ROOM, "%s", words);
}

bool bk_bus_announce(bk_bus *bus, int changes) {
  char *names[10];
  int count = 0;
  if (changes & BK_BUS_CHANGED_STATUS) names[count++] = "PlaybackStatus";
  if (changes & BK_BUS_CHANGED_METADATA) names[count++] = "Metadata";
  if (changes & BK_BUS_CHANGED_VOLUME) names[count++] = "Volume";
  if (changes & BK_BUS_CHANGED_ABILITIES) {
    names[count++] = "CanGoNext", names[count++] = "CanGoPrevious", names[count++] = "CanPlay";
    names[count++] = "CanPause", names[count++] = "CanSeek";
  }
  names[count] = NULL;
  return count == 0 || api.sd_bus_emit_properties_changed_strv(bus->bus, PATH, PLAYER, names) >= 0;
}

bool bk_bus_announce_position(bk_bus *bus) {
  return api.sd_bus_emit_signal(bus->bus, PATH, PLAYER, "Seeked", "x", bus->facts.position) >= 0;
}

bool bk_bus_next_order(bk_bus *bus, bk_bus_order *order) {
  if (bus->count == 0) return false;
  *order = bus->orders[bus->first];
  bus->first = (bus->first + 1) % MOST_ORDERS, bus->count--;
  return true;
}
