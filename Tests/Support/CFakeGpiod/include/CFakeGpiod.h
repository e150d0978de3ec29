/// Chips in this process, and two libraries to reach them: shim.h over an API as libgpiod 1.6 has it, and as 2.x has.
///
/// All belongs to the calling thread. Chips are known by the last part of their path ("gpiochip0").
#pragma once

#include "../../../../Sources/C/CGpiod/GpioApi.h"

#pragma clang assume_nonnull begin

bk_gpio_api fake_gpiod_1(void);
bk_gpio_api fake_gpiod_2(void);

/// Forgets all chips.
void fake_gpio_reset(void);
void fake_gpio_add_chip(const char *name, const char *label, unsigned lines);
void fake_gpio_name_line(const char *chip, unsigned offset, const char *name);
/// Another program has the line.
void fake_gpio_take(const char *chip, unsigned offset, const char *user);
/// Opening the chip fails so, or from now on all that is asked of it.
void fake_gpio_refuse(const char *chip, int error);
void fake_gpio_lose(const char *chip);
/// Sets the voltage of a line; where it is watched, the edge is told.
void fake_gpio_set(const char *chip, unsigned offset, bool is_high, int64_t nanoseconds);

typedef struct {
  bool is_requested, is_output, is_active_low, is_high;
  bk_gpio_pull pull;
  unsigned debounce_us;
  char user[32];
} fake_gpio_state;
fake_gpio_state fake_gpio_line(const char *chip, unsigned offset);
/// What is called when driven lines were set.
void fake_gpio_listen(void (*_Nullable heard)(void *_Nullable context), void *_Nullable context);
/// Objects of the library that were made and not ended.
int fake_gpio_open_count(void);

#pragma clang assume_nonnull end
