/// Bakelite's GPIO interface for all versions of libgpiod, as a table that tests can replace.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Maximum number of lines per request.
#define BK_GPIO_MOST 32

typedef enum { BK_PULL_AS_IS, BK_PULL_UP, BK_PULL_DOWN, BK_PULL_NONE } bk_gpio_pull;

typedef struct {
  unsigned offset;
  bool is_active_low;
  bk_gpio_pull pull;
  unsigned debounce_us;
} bk_gpio_line;

/// An edge: time on CLOCK_MONOTONIC, and the line's index in the request.
typedef struct {
  int64_t nanoseconds;
  unsigned index;
  bool is_active;
} bk_gpio_edge;

/// The functions of a chip; chips and requests are opaque. After a failure, pointers are NULL with errno set, and
/// numbers are -errno. No call blocks.
typedef struct {
  /// True if the kernel applies `debounce_us`.
  bool debounces;
  void *_Nullable (*_Nonnull open_chip)(const char *path);
  /// Closes a chip. Release its requests first.
  void (*close_chip)(void *chip);
  int (*copy_label)(void *chip, char *text, size_t room);
  int (*count_lines)(void *chip);
  /// Returns the offset of a named line.
  int (*find_line)(void *chip, const char *name);
  /// Writes the name of a line's user; returns 1 if the line is in use, else 0.
  int (*copy_user)(void *chip, unsigned offset, char *text, size_t room);
  /// Requests lines as inputs with both edges.
  void *_Nullable (*_Nonnull watch)(void *chip, const bk_gpio_line *lines, unsigned count, const char *user);
  /// Requests lines as outputs, all low; uses only their offsets.
  void *_Nullable (*_Nonnull drive)(void *chip, const bk_gpio_line *lines, unsigned count, const char *user);
  void (*release)(void *request);
  /// Writes the descriptors of watched lines, at most BK_GPIO_MOST; returns their count.
  int (*descriptors)(void *request, int *fds);
  /// Returns 1 if a line is active, else 0.
  int (*level)(void *request, unsigned index);
  /// Removes up to `most` pending edges and returns their count. Only edges of the same line are in order.
  int (*take_edges)(void *request, bk_gpio_edge *edges, unsigned most);
  /// Sets all driven lines; bit 0 is the first.
  int (*set_levels)(void *request, uint32_t levels);
} bk_gpio_api;

#pragma clang assume_nonnull end
