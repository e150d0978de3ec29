/// Serves MPRIS on a message bus with sd-bus. `bk_bus_load` loads the library libsystemd, never the program's start.
/// No function blocks. One thread only.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  BK_BUS_PLAY,
  BK_BUS_PAUSE,
  BK_BUS_TOGGLE,
  BK_BUS_STOP,
  BK_BUS_NEXT,
  BK_BUS_PREVIOUS,
  BK_BUS_QUIT,
  /// Seek by `microseconds`.
  BK_BUS_SEEK,
  /// Go to the position `microseconds` of the current track.
  BK_BUS_GO_TO,
  /// Set the volume to `volume`.
  BK_BUS_VOLUME,
} bk_bus_order_kind;

/// A client's order.
typedef struct {
  bk_bus_order_kind kind;
  int64_t microseconds;
  /// Finite, at least 0; 1 is the full volume.
  double volume;
} bk_bus_order;

typedef enum { BK_BUS_PLAYING, BK_BUS_PAUSED, BK_BUS_STOPPED } bk_bus_status;

/// The properties without texts.
typedef struct {
  bk_bus_status status;
  double volume;
  int64_t position;
  /// Microseconds; 0 for an unknown length.
  int64_t length;
  /// Number of the current track from 1; 0 without a track.
  uint32_t track;
  bool can_go_next, can_go_previous, can_play, can_pause, can_seek;
  /// True if clients may end the program.
  bool can_quit;
} bk_bus_facts;

/// A text of the metadata.
typedef enum { BK_BUS_TITLE, BK_BUS_ARTIST, BK_BUS_ALBUM, BK_BUS_URL } bk_bus_text;

/// Maximum bytes of a text, including the final zero.
#define BK_BUS_TEXT_ROOM 1024

/// Properties in a change signal.
typedef enum {
  BK_BUS_CHANGED_STATUS = 1,
  BK_BUS_CHANGED_METADATA = 2,
  BK_BUS_CHANGED_VOLUME = 4,
  BK_BUS_CHANGED_ABILITIES = 8,
} bk_bus_change;

typedef struct bk_bus bk_bus;

/// Loads libsystemd (dlopen(3)); false if it is missing or too old.
bool bk_bus_load(void);
/// Signs in through a connected, nonblocking socket, and owns the socket, even on failure. NULL on failure. Call
/// `bk_bus_load` first.
bk_bus *bk_bus_start(int fd);
/// Disconnects without sending queued messages.
void bk_bus_stop(bk_bus *bus);
/// Handles up to `most` messages. Returns the number of handled messages, or -errno after the end of the connection.
int bk_bus_process(bk_bus *bus, int most);
/// The number of messages that wait for the bus.
uint64_t bk_bus_waiting(bk_bus *bus);
/// True if clients find the player under its name.
bool bk_bus_is_named(const bk_bus *bus);
/// Sets the properties that clients read. Emits no signal.
void bk_bus_show(bk_bus *bus, const bk_bus_facts *facts);
/// Sets a text: valid UTF-8, shorter than BK_BUS_TEXT_ROOM. An empty text removes the entry.
void bk_bus_write(bk_bus *bus, bk_bus_text text, const char *words);
/// Emits PropertiesChanged for `bk_bus_change` bits. Returns false after the end of the connection.
bool bk_bus_announce(bk_bus *bus, int changes);
/// Emits Seeked with the shown position. Returns false after the end of the connection.
bool bk_bus_announce_position(bk_bus *bus);
/// Removes the oldest order; false without an order.
bool bk_bus_next_order(bk_bus *bus, bk_bus_order *order);
