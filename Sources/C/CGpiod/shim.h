/// Implements the table of GpioApi.h with libgpiod 1.6 (Debian 12) or 2.x (Debian 13).
#pragma once

#include "GpioApi.h"

#include <errno.h>
#include <gpiod.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

static inline int bk_gpio_copy(const char *from, char *text, size_t room) {
  snprintf(text, room, "%s", from ? from : "");
  return 0;
}

static inline void *bk_gpio_open_chip(const char *path) { return gpiod_chip_open(path); }

static inline void bk_gpio_close_chip(void *chip) { gpiod_chip_close((struct gpiod_chip *)chip); }

// Only libgpiod 1.x defines this macro.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#include "shim-1.6.h"
#else
#include "shim-2.h"
#endif

static inline bk_gpio_api bk_gpio_library(void) {
  bk_gpio_api api = {
      .debounces = BK_GPIO_DEBOUNCES,
      .open_chip = bk_gpio_open_chip,
      .close_chip = bk_gpio_close_chip,
      .copy_label = bk_gpio_copy_label,
      .count_lines = bk_gpio_count_lines,
      .find_line = bk_gpio_find_line,
      .copy_user = bk_gpio_copy_user,
      .watch = bk_gpio_watch,
      .drive = bk_gpio_drive,
      .release = bk_gpio_release,
      .descriptors = bk_gpio_descriptors,
      .level = bk_gpio_level,
      .take_edges = bk_gpio_take_edges,
      .set_levels = bk_gpio_set_levels,
  };
  return api;
}
