/// Bakelite's GPIO interface for all versions of libgpiod, as a table that tests can replace.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The maximum lines per request.
#define BK_GPIO_MOST 32

/// The bias resistor of a line.
typedef enum { BK_PULL_AS_IS, BK_PULL_UP, BK_PULL_DOWN, BK_PULL_NONE } bk_gpio_pull;

typedef struct {
  unsigned offset;
  bool is_active_low;
  bk_gpio_pull pull;
  unsigned debounce_us;
} bk_gpio_line;

/// An edge event: CLOCK_MONOTONIC time, and the line's index in the request.
typedef struct {
  int64_t nanoseconds;
  unsigned index;
  bool is_active;
} bk_gpio_edge;

/// The functions of a chip. Chips and requests are opaque; failures set errno or return it as a negative value. No call
/// blocks.
typedef struct {
  /// True if the kernel can debounce.
  bool debounces;
  void *_Nullable (*_Nonnull open_chip)(const char *path);
  /// Closes a chip after its requests.
  void (*close_chip)(void *chip);
  int (*copy_label)(void *chip, char *text, size_t room);
  int (*count_lines)(void *chip);
  /// Returns a line's offset.
  int (*find_line)(void *chip, const char *name);
  /// Returns 1 and the user's name if a line is in use.
  int (*copy_user)(void *chip, unsigned offset, char *text, size_t room);
  /// Requests lines as inputs with both edges.
  void *_Nullable (*_Nonnull watch)(void *chip, const bk_gpio_line *lines, unsigned count, const char *user);
  /// Requests lines as outputs, all low; uses only their offsets.
  void *_Nullable (*_Nonnull drive)(void *chip, const bk_gpio_line *lines, unsigned count, const char *user);
  void (*release)(void *request);
  /// Returns the descriptors of watched lines, BK_GPIO_MOST at most.
  int (*descriptors)(void *request, int *fds);
  /// Returns a line's current level, 1 if active.
  int (*level)(void *request, unsigned index);
  /// Reads pending edges and returns their count. Edges of one line are in order; edges of different lines may not be.
  int (*take_edges)(void *request, bk_gpio_edge *edges, unsigned most);
  /// Sets all driven lines; bit 0 is the first.
  int (*set_levels)(void *request, uint32_t levels);
} bk_gpio_api;

#pragma clang assume_nonnull end
