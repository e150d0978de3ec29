/// What Bakelite asks of GPIO, whichever libgpiod there is: a table, so that tests put chips of their own in its place.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The most lines that one request may have.
#define BK_GPIO_MOST 32

/// What the resistor inside the chip does.
typedef enum { BK_PULL_AS_IS, BK_PULL_UP, BK_PULL_DOWN, BK_PULL_NONE } bk_gpio_pull;

typedef struct {
  unsigned offset;
  bool is_active_low;
  bk_gpio_pull pull;
  unsigned debounce_us;
} bk_gpio_line;

/// The kernel's news of a line: CLOCK_MONOTONIC, and the place of the line in the request.
typedef struct {
  int64_t nanoseconds;
  unsigned index;
  bool is_active;
} bk_gpio_edge;

/// A chip and a request are opaque; what fails leaves errno, or returns it negative. Nothing here waits.
typedef struct {
  /// Whether the kernel can be asked to debounce.
  bool debounces;
  void *_Nullable (*_Nonnull open_chip)(const char *path);
  /// Ends a chip; its requests must have ended.
  void (*close_chip)(void *chip);
  int (*copy_label)(void *chip, char *text, size_t room);
  int (*count_lines)(void *chip);
  /// The offset of a line.
  int (*find_line)(void *chip, const char *name);
  /// 1 where a line is taken, and then by whom.
  int (*copy_user)(void *chip, unsigned offset, char *text, size_t room);
  /// Takes lines as inputs that tell both edges.
  void *_Nullable (*_Nonnull watch)(void *chip, const bk_gpio_line *lines, unsigned count, const char *user);
  /// Takes lines as outputs, all low; of what a line asks for, only its offset counts.
  void *_Nullable (*_Nonnull drive)(void *chip, const bk_gpio_line *lines, unsigned count, const char *user);
  void (*release)(void *request);
  /// The descriptors of watched lines, BK_GPIO_MOST at most: how many.
  int (*descriptors)(void *request, int *fds);
  /// Whether a line is active now: 1 or 0.
  int (*level)(void *request, unsigned index);
  /// Takes the edges that are there: how many. Those of one line come in their order, lines among each other may not.
  int (*take_edges)(void *request, bk_gpio_edge *edges, unsigned most);
  /// Sets all driven lines, the first by the lowest bit.
  int (*set_levels)(void *request, uint32_t levels);
} bk_gpio_api;

#pragma clang assume_nonnull end
