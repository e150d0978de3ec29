/// The table for libgpiod 2.x: one descriptor per request, and the kernel debounces.
#pragma once

#define BK_GPIO_DEBOUNCES true

typedef struct {
  struct gpiod_line_request *lines;
  struct gpiod_edge_event_buffer *events;
  unsigned offsets[BK_GPIO_MOST];
  unsigned count;
} bk_gpio_request;

static inline int bk_gpio_copy_label(void *chip, char *text, size_t room) {
  struct gpiod_chip_info *info = gpiod_chip_get_info((struct gpiod_chip *)chip);
  if (!info) return -errno;
  bk_gpio_copy(gpiod_chip_info_get_label(info), text, room);
  gpiod_chip_info_free(info);
  return 0;
}

static inline int bk_gpio_count_lines(void *chip) {
  struct gpiod_chip_info *info = gpiod_chip_get_info((struct gpiod_chip *)chip);
  if (!info) return -errno;
  int count = (int)gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
  return count;
}

static inline int bk_gpio_find_line(void *chip, const char *name) {
  int offset = gpiod_chip_get_line_offset_from_name((struct gpiod_chip *)chip, name);
  return offset < 0 ? -errno : offset;
}

static inline int bk_gpio_copy_user(void *chip, unsigned offset, char *text, size_t room) {
  struct gpiod_line_info *info = gpiod_chip_get_line_info((struct gpiod_chip *)chip, offset);
  if (!info) return -errno;
  bk_gpio_copy(gpiod_line_info_get_consumer(info), text, room);
  bool is_used = gpiod_line_info_is_used(info);
  gpiod_line_info_free(info);
  return is_used;
}

static inline void bk_gpio_release(void *opaque) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  int saved = errno;
  if (request->lines) gpiod_line_request_release(request->lines);
  if (request->events) gpiod_edge_event_buffer_free(request->events);
  free(request);
  errno = saved;
}

static inline enum gpiod_line_bias bk_gpio_bias(bk_gpio_pull pull) {
  switch (pull) {
    case BK_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case BK_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    case BK_PULL_NONE: return GPIOD_LINE_BIAS_DISABLED;
    default: return GPIOD_LINE_BIAS_AS_IS;
  }
}

static inline int bk_gpio_settle(struct gpiod_line_settings *settings, const bk_gpio_line *line, bool is_output) {
  if (is_output) {
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) < 0) return -1;
    return gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
  }
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0) return -1;
  if (gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) < 0) return -1;
  if (gpiod_line_settings_set_bias(settings, bk_gpio_bias(line->pull)) < 0) return -1;
  if (gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0) return -1;
  gpiod_line_settings_set_active_low(settings, line->is_active_low);
  gpiod_line_settings_set_debounce_period_us(settings, line->debounce_us);
  return 0;
}

static inline void *bk_gpio_request_lines(void *chip, const bk_gpio_line *lines, unsigned count, const char *user,
                                          bool are_outputs) {
  bk_gpio_request *request = (bk_gpio_request *)calloc(1, sizeof *request);
  struct gpiod_request_config *wishes = gpiod_request_config_new();
  struct gpiod_line_config *config = gpiod_line_config_new();
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  bool is_settled = request && wishes && config && settings;
  for (unsigned i = 0; is_settled && i < count && i < BK_GPIO_MOST; i++) {
    request->offsets[request->count++] = lines[i].offset;
    gpiod_line_settings_reset(settings);
    is_settled = bk_gpio_settle(settings, &lines[i], are_outputs) == 0 &&
                 gpiod_line_config_add_line_settings(config, &lines[i].offset, 1, settings) == 0;
  }
  if (is_settled) {
    gpiod_request_config_set_consumer(wishes, user);
    if (!are_outputs) request->events = gpiod_edge_event_buffer_new(64);
    if (are_outputs || request->events)
      request->lines = gpiod_chip_request_lines((struct gpiod_chip *)chip, wishes, config);
  }
  int saved = errno;
  if (settings) gpiod_line_settings_free(settings);
  if (config) gpiod_line_config_free(config);
  if (wishes) gpiod_request_config_free(wishes);
  errno = saved;
  if (request && request->lines) return request;
  if (request) bk_gpio_release(request);
  return NULL;
}

static inline void *bk_gpio_watch(void *chip, const bk_gpio_line *lines, unsigned count, const char *user) {
  return bk_gpio_request_lines(chip, lines, count, user, false);
}

static inline void *bk_gpio_drive(void *chip, const bk_gpio_line *lines, unsigned count, const char *user) {
  return bk_gpio_request_lines(chip, lines, count, user, true);
}

static inline int bk_gpio_descriptors(void *opaque, int *fds) {
  fds[0] = gpiod_line_request_get_fd(((bk_gpio_request *)opaque)->lines);
  return 1;
}

static inline int bk_gpio_level(void *opaque, unsigned index) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  enum gpiod_line_value value = gpiod_line_request_get_value(request->lines, request->offsets[index]);
  return value == GPIOD_LINE_VALUE_ERROR ? -errno : value == GPIOD_LINE_VALUE_ACTIVE;
}

static inline int bk_gpio_take_edges(void *opaque, bk_gpio_edge *edges, unsigned most) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  int waiting = gpiod_line_request_wait_edge_events(request->lines, 0);
  if (waiting <= 0) return waiting < 0 && errno != EINTR ? -errno : 0;
  int count = gpiod_line_request_read_edge_events(request->lines, request->events, most < 64 ? most : 64);
  if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  int taken = 0;
  for (int i = 0; i < count; i++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(request->events, (unsigned long)i);
    unsigned offset = gpiod_edge_event_get_line_offset(event), index = 0;
    while (index < request->count && request->offsets[index] != offset) index++;
    if (index == request->count) continue;
    edges[taken].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
    edges[taken].index = index;
    edges[taken++].is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
  }
  return taken;
}

static inline int bk_gpio_set_levels(void *opaque, uint32_t levels) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  enum gpiod_line_value values[BK_GPIO_MOST];
  for (unsigned i = 0; i < request->count; i++)
    values[i] = levels >> i & 1 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  return gpiod_line_request_set_values(request->lines, values) < 0 ? -errno : 0;
}
