/// The state shared by both fake libraries.
#pragma once

#include "CFakeGpiod.h"

#define FAKE_LINES 64

typedef struct fake_chip fake_chip;

typedef struct fake_line {
  fake_chip *chip;
  unsigned offset;
  char name[32];
  fake_gpio_state state;
  // A pipe of struct fake_edge; open if the line's edges are requested.
  int reads, writes;
} fake_line;

struct fake_chip {
  char name[32], label[32];
  unsigned count;
  int refusal;
  bool is_lost;
  fake_line lines[FAKE_LINES];
};

typedef struct {
  int64_t nanoseconds;
  unsigned offset;
  bool is_active;
} fake_edge;

extern _Thread_local int fake_open;

/// Returns the chip at a path, or NULL with errno.
fake_chip *fake_chip_at(const char *path);
/// Returns the line, or NULL with errno.
fake_line *fake_line_at(fake_chip *chip, unsigned offset);
fake_line *fake_line_named(fake_chip *chip, const char *name);
/// Requests a line. Returns 0, or -1 with errno.
int fake_line_request(fake_line *line, const char *user);
void fake_line_release(fake_line *line);
bool fake_line_is_active(const fake_line *line);
void fake_line_drive(fake_line *line, bool is_active);
void fake_heard(void);
/// Reads edges from a pipe like the kernel. Returns their number, or -1 with errno.
int fake_take(int reads, fake_edge *edges, int most);
