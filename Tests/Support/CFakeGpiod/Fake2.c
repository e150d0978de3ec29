// libgpiod 2.x over the fake chips, with a pipe for each request.
#define _GNU_SOURCE
#define FAKE_GPIOD 2
#include "../../../Sources/C/CGpiod/shim.h"
#include "FakeChip.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

bk_gpio_api fake_gpiod_2(void) { return bk_gpio_library(); }

struct gpiod_line_settings {
  fake_gpio_state state;
  bool has_edges;
};

struct gpiod_line_config {
  unsigned count, offsets[FAKE_LINES];
  struct gpiod_line_settings settings[FAKE_LINES];
};

struct gpiod_request_config {
  char user[32];
};

struct gpiod_line_request {
  fake_chip *chip;
  unsigned count, offsets[FAKE_LINES];
  int ends[2];
};

struct gpiod_edge_event_buffer {
  fake_edge edges[64];
};

static void *made(size_t size) {
  fake_open++;
  return calloc(1, size);
}

static void ended(void *object) {
  fake_open--;
  free(object);
}

static fake_chip *chip_of(struct gpiod_chip *chip) { return (fake_chip *)chip; }

static struct gpiod_chip *gpiod_chip_open(const char *path) { return (struct gpiod_chip *)fake_chip_at(path); }

static void gpiod_chip_close(struct gpiod_chip *chip) {
  (void)chip;
  fake_open--;
}

static struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip) {
  fake_open++;
  return (struct gpiod_chip_info *)chip;
}

static void gpiod_chip_info_free(struct gpiod_chip_info *info) {
  (void)info;
  fake_open--;
}

static const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info) { return ((fake_chip *)info)->label; }

static size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info) { return ((fake_chip *)info)->count; }

static struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset) {
  fake_line *line = fake_line_at(chip_of(chip), offset);
  if (line) fake_open++;
  return (struct gpiod_line_info *)line;
}

static void gpiod_line_info_free(struct gpiod_line_info *info) {
  (void)info;
  fake_open--;
}

static bool gpiod_line_info_is_used(struct gpiod_line_info *info) { return ((fake_line *)info)->state.is_requested; }

static const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info) {
  fake_line *line = (fake_line *)info;
  return line->state.is_requested ? line->state.user : NULL;
}

static int gpiod_chip_get_line_offset_from_name(struct gpiod_chip *chip, const char *name) {
  fake_line *line = fake_line_named(chip_of(chip), name);
  return line ? (int)line->offset : -1;
}

static struct gpiod_line_settings *gpiod_line_settings_new(void) { return made(sizeof(struct gpiod_line_settings)); }

static void gpiod_line_settings_free(struct gpiod_line_settings *settings) { ended(settings); }

static void gpiod_line_settings_reset(struct gpiod_line_settings *settings) { memset(settings, 0, sizeof *settings); }

static int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings,
                                             enum gpiod_line_direction direction) {
  settings->state.is_output = direction == GPIOD_LINE_DIRECTION_OUTPUT;
  return 0;
}

static int gpiod_line_settings_set_edge_detection(struct gpiod_line_settings *settings, enum gpiod_line_edge edge) {
  settings->has_edges = edge == GPIOD_LINE_EDGE_BOTH;
  return 0;
}

static int gpiod_line_settings_set_bias(struct gpiod_line_settings *settings, enum gpiod_line_bias bias) {
  settings->state.pull = bias == GPIOD_LINE_BIAS_PULL_UP     ? BK_PULL_UP
                         : bias == GPIOD_LINE_BIAS_PULL_DOWN ? BK_PULL_DOWN
                         : bias == GPIOD_LINE_BIAS_DISABLED  ? BK_PULL_NONE
                                                             : BK_PULL_AS_IS;
  return 0;
}

static void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool is_active_low) {
  settings->state.is_active_low = is_active_low;
}

static void gpiod_line_settings_set_debounce_period_us(struct gpiod_line_settings *settings, unsigned long period) {
  settings->state.debounce_us = (unsigned)period;
}

static int gpiod_line_settings_set_event_clock(struct gpiod_line_settings *settings, enum gpiod_line_clock clock) {
  (void)settings;
  return clock == GPIOD_LINE_CLOCK_MONOTONIC ? 0 : -1;
}

static int gpiod_line_settings_set_output_value(struct gpiod_line_settings *settings, enum gpiod_line_value value) {
  settings->state.is_high = value == GPIOD_LINE_VALUE_ACTIVE;
  return 0;
}

static struct gpiod_line_config *gpiod_line_config_new(void) { return made(sizeof(struct gpiod_line_config)); }

static void gpiod_line_config_free(struct gpiod_line_config *config) { ended(config); }

static int gpiod_line_config_add_line_settings(struct gpiod_line_config *config, const unsigned int *offsets,
                                               size_t count, struct gpiod_line_settings *settings) {
  for (size_t i = 0; i < count; i++) {
    config->offsets[config->count] = offsets[i];
    config->settings[config->count++] = *settings;
  }
  return 0;
}

static struct gpiod_request_config *gpiod_request_config_new(void) { return made(sizeof(struct gpiod_request_config)); }

static void gpiod_request_config_free(struct gpiod_request_config *config) { ended(config); }

static void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer) {
  snprintf(config->user, sizeof config->user, "%s", consumer);
}

static struct gpiod_line_request *gpiod_chip_request_lines(struct gpiod_chip *opaque,
                                                           struct gpiod_request_config *wishes,
                                                           struct gpiod_line_config *config) {
  fake_chip *chip = chip_of(opaque);
  for (unsigned i = 0; i < config->count; i++) {
    fake_line *line = fake_line_at(chip, config->offsets[i]);
    if (!line) return NULL;
    errno = chip->is_lost ? ENODEV : EBUSY;
    if (chip->is_lost || line->state.is_requested) return NULL;
  }
  struct gpiod_line_request *request = made(sizeof *request);
  request->chip = chip;
  request->count = config->count;
  if (pipe2(request->ends, O_CLOEXEC) < 0) return NULL;
  for (unsigned i = 0; i < config->count; i++) {
    fake_line *line = &chip->lines[config->offsets[i]];
    request->offsets[i] = config->offsets[i];
    bool is_high = line->state.is_high;
    line->state = config->settings[i].state;
    if (!line->state.is_output) line->state.is_high = is_high;
    fake_line_request(line, wishes->user);
    if (config->settings[i].has_edges) line->writes = dup(request->ends[1]);
  }
  close(request->ends[1]);
  return request;
}

static void gpiod_line_request_release(struct gpiod_line_request *request) {
  for (unsigned i = 0; i < request->count; i++) {
    fake_line *line = &request->chip->lines[request->offsets[i]];
    if (line->writes >= 0) close(line->writes);
    fake_line_release(line);
  }
  close(request->ends[0]);
  ended(request);
}

static enum gpiod_line_value gpiod_line_request_get_value(struct gpiod_line_request *request, unsigned int offset) {
  errno = ENODEV;
  if (request->chip->is_lost) return GPIOD_LINE_VALUE_ERROR;
  return fake_line_is_active(&request->chip->lines[offset]) ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}

static int gpiod_line_request_set_values(struct gpiod_line_request *request, const enum gpiod_line_value *values) {
  errno = ENODEV;
  if (request->chip->is_lost) return -1;
  for (unsigned i = 0; i < request->count; i++) {
    fake_line_drive(&request->chip->lines[request->offsets[i]], values[i] == GPIOD_LINE_VALUE_ACTIVE);
  }
  fake_heard();
  return 0;
}

static int gpiod_line_request_get_fd(struct gpiod_line_request *request) { return request->ends[0]; }

static int gpiod_line_request_wait_edge_events(struct gpiod_line_request *request, int64_t nanoseconds) {
  struct pollfd ready = {.fd = request->ends[0], .events = POLLIN};
  return poll(&ready, 1, (int)(nanoseconds / 1000000));
}

static int gpiod_line_request_read_edge_events(struct gpiod_line_request *request,
                                               struct gpiod_edge_event_buffer *buffer, size_t most) {
  return fake_take(request->ends[0], buffer->edges, (int)(most < 64 ? most : 64));
}

static struct gpiod_edge_event_buffer *gpiod_edge_event_buffer_new(size_t capacity) {
  (void)capacity;
  return made(sizeof(struct gpiod_edge_event_buffer));
}

static void gpiod_edge_event_buffer_free(struct gpiod_edge_event_buffer *buffer) { ended(buffer); }

static struct gpiod_edge_event *gpiod_edge_event_buffer_get_event(struct gpiod_edge_event_buffer *buffer,
                                                                  unsigned long index) {
  return (struct gpiod_edge_event *)&buffer->edges[index];
}

static enum gpiod_edge_event_type gpiod_edge_event_get_event_type(struct gpiod_edge_event *event) {
  return ((fake_edge *)event)->is_active ? GPIOD_EDGE_EVENT_RISING_EDGE : GPIOD_EDGE_EVENT_FALLING_EDGE;
}

static uint64_t gpiod_edge_event_get_timestamp_ns(struct gpiod_edge_event *event) {
  return (uint64_t)((fake_edge *)event)->nanoseconds;
}

static unsigned int gpiod_edge_event_get_line_offset(struct gpiod_edge_event *event) {
  return ((fake_edge *)event)->offset;
}
