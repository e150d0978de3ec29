/// Fake GPIO chips with two libraries: shim.h over the API of libgpiod 1.6, and of 2.x.
///
/// All state is thread-local. A chip is identified by the last component of its path ("gpiochip0").
#pragma once

#include "../../../../Sources/C/CGpiod/GpioApi.h"

#pragma clang assume_nonnull begin

bk_gpio_api fake_gpiod_1(void);
bk_gpio_api fake_gpiod_2(void);

/// Removes all chips.
void fake_gpio_reset(void);
void fake_gpio_add_chip(const char *name, const char *label, unsigned lines);
void fake_gpio_name_line(const char *chip, unsigned offset, const char *name);
/// Occupies a line as another program.
void fake_gpio_take(const char *chip, unsigned offset, const char *user);
/// Makes opening the chip fail with `error`.
void fake_gpio_refuse(const char *chip, int error);
/// Unplugs the chip: all further operations fail with ENODEV.
void fake_gpio_lose(const char *chip);
/// Sets the voltage of a line and reports the edge if edges are requested.
void fake_gpio_set(const char *chip, unsigned offset, bool is_high, int64_t nanoseconds);

typedef struct {
  bool is_requested, is_output, is_active_low, is_high;
  bk_gpio_pull pull;
  unsigned debounce_us;
  char user[32];
} fake_gpio_state;
fake_gpio_state fake_gpio_line(const char *chip, unsigned offset);
/// Sets the function called after driven lines were set.
void fake_gpio_listen(void (*_Nullable heard)(void *_Nullable context), void *_Nullable context);
/// Returns the number of library objects that were not freed.
int fake_gpio_open_count(void);

#pragma clang assume_nonnull end
