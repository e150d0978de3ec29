#define _GNU_SOURCE
#include "FakeChip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Thread_local fake_chip chips[4];
static _Thread_local unsigned chip_count;
static _Thread_local void (*hear)(void *);
static _Thread_local void *hear_context;
_Thread_local int fake_open;

static fake_chip *named(const char *name) {
  for (unsigned i = 0; i < chip_count; i++) {
    if (strcmp(chips[i].name, name) == 0) return &chips[i];
  }
  return NULL;
}

static void *refused(int error) {
  errno = error;
  return NULL;
}

void fake_gpio_reset(void) {
  memset(chips, 0, sizeof chips);
  chip_count = 0;
  fake_open = 0;
  hear = NULL;
}

void fake_gpio_add_chip(const char *name, const char *label, unsigned lines) {
  fake_chip *chip = &chips[chip_count++];
  snprintf(chip->name, sizeof chip->name, "%s", name);
  snprintf(chip->label, sizeof chip->label, "%s", label);
  chip->count = lines;
  for (unsigned i = 0; i < FAKE_LINES; i++) {
    chip->lines[i] = (fake_line){.chip = chip, .offset = i, .reads = -1, .writes = -1};
  }
}

void fake_gpio_name_line(const char *chip, unsigned offset, const char *name) {
  snprintf(named(chip)->lines[offset].name, sizeof named(chip)->lines[offset].name, "%s", name);
}

void fake_gpio_take(const char *chip, unsigned offset, const char *user) {
  fake_line_request(&named(chip)->lines[offset], user);
}

void fake_gpio_refuse(const char *chip, int error) { named(chip)->refusal = error; }

void fake_gpio_lose(const char *name) {
  fake_chip *chip = named(name);
  chip->is_lost = true;
  for (unsigned i = 0; i < chip->count; i++) {
    if (chip->lines[i].writes >= 0) close(chip->lines[i].writes);
    chip->lines[i].writes = -1;
  }
}

void fake_gpio_set(const char *chip, unsigned offset, bool is_high, int64_t nanoseconds) {
  fake_line *line = &named(chip)->lines[offset];
  if (line->state.is_high == is_high) return;
  line->state.is_high = is_high;
  fake_edge edge = {.nanoseconds = nanoseconds, .offset = offset, .is_active = fake_line_is_active(line)};
  if (line->writes >= 0 && write(line->writes, &edge, sizeof edge) < 0) perror("fake_gpio_set");
}

fake_gpio_state fake_gpio_line(const char *chip, unsigned offset) { return named(chip)->lines[offset].state; }

void fake_gpio_listen(void (*heard)(void *), void *context) {
  hear = heard;
  hear_context = context;
}

int fake_gpio_open_count(void) { return fake_open; }

fake_chip *fake_chip_at(const char *path) {
  const char *slash = strrchr(path, '/');
  fake_chip *chip = named(slash ? slash + 1 : path);
  if (!chip) return refused(ENOENT);
  if (chip->refusal) return refused(chip->refusal);
  fake_open++;
  return chip;
}

fake_line *fake_line_at(fake_chip *chip, unsigned offset) {
  return offset < chip->count ? &chip->lines[offset] : refused(EINVAL);
}

fake_line *fake_line_named(fake_chip *chip, const char *name) {
  for (unsigned i = 0; i < chip->count; i++) {
    if (strcmp(chip->lines[i].name, name) == 0) return &chip->lines[i];
  }
  return refused(ENOENT);
}

int fake_line_request(fake_line *line, const char *user) {
  if (line->state.is_requested || line->chip->is_lost) {
    errno = line->chip->is_lost ? ENODEV : EBUSY;
    return -1;
  }
  line->state.is_requested = true;
  snprintf(line->state.user, sizeof line->state.user, "%s", user);
  return 0;
}

void fake_line_release(fake_line *line) {
  line->state = (fake_gpio_state){.is_high = line->state.is_high};
  line->reads = line->writes = -1;
}

bool fake_line_is_active(const fake_line *line) { return line->state.is_high != line->state.is_active_low; }

void fake_line_drive(fake_line *line, bool is_active) { line->state.is_high = is_active != line->state.is_active_low; }

void fake_heard(void) {
  if (hear) hear(hear_context);
}

int fake_take(int reads, fake_edge *edges, int most) {
  ssize_t count = read(reads, edges, sizeof *edges * (size_t)most);
  if (count == 0) errno = ENODEV;
  return count > 0 ? (int)(count / (ssize_t)sizeof *edges) : -1;
}
