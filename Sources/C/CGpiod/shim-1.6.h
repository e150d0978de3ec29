/// The table for libgpiod 1.6: one descriptor per watched line, and no debouncing in the kernel.
#pragma once

#define BK_GPIO_DEBOUNCES false

typedef struct {
  struct gpiod_line_bulk lines;
} bk_gpio_request;

static inline int bk_gpio_copy_label(void *chip, char *text, size_t room) {
  return bk_gpio_copy(gpiod_chip_label((struct gpiod_chip *)chip), text, room);
}

static inline int bk_gpio_count_lines(void *chip) { return (int)gpiod_chip_num_lines((struct gpiod_chip *)chip); }

static inline int bk_gpio_find_line(void *chip, const char *name) {
  struct gpiod_line *line = gpiod_chip_find_line((struct gpiod_chip *)chip, name);
  return line ? (int)gpiod_line_offset(line) : -errno;
}

static inline int bk_gpio_copy_user(void *chip, unsigned offset, char *text, size_t room) {
  struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, offset);
  if (!line) return -errno;
  bk_gpio_copy(gpiod_line_consumer(line), text, room);
  return gpiod_line_is_used(line);
}

static inline void bk_gpio_release(void *opaque) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  int saved = errno;
  // Watched lines were requested one by one; the release of a bulk releases each line.
  if (request->lines.num_lines > 0) gpiod_line_release_bulk(&request->lines);
  free(request);
  errno = saved;
}

static inline int bk_gpio_watch_flags(const bk_gpio_line *line) {
  int flags = line->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (line->pull) {
    case BK_PULL_UP: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case BK_PULL_DOWN: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    case BK_PULL_NONE: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    default: return flags;
  }
}

static inline void *bk_gpio_watch(void *chip, const bk_gpio_line *lines, unsigned count, const char *user) {
  bk_gpio_request *request = (bk_gpio_request *)calloc(1, sizeof *request);
  if (!request) return NULL;
  for (unsigned i = 0; i < count && i < BK_GPIO_MOST; i++) {
    struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, lines[i].offset);
    struct gpiod_line_request_config config = {
        .consumer = user, .request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, .flags = bk_gpio_watch_flags(&lines[i])};
    if (!line || gpiod_line_request(line, &config, 0) < 0) {
      bk_gpio_release(request);
      return NULL;
    }
    gpiod_line_bulk_add(&request->lines, line);
  }
  return request;
}

static inline void *bk_gpio_drive(void *chip, const bk_gpio_line *lines, unsigned count, const char *user) {
  bk_gpio_request *request = (bk_gpio_request *)calloc(1, sizeof *request);
  if (!request) return NULL;
  struct gpiod_line_bulk wanted;
  gpiod_line_bulk_init(&wanted);
  int low[BK_GPIO_MOST] = {0};
  bool found = true;
  for (unsigned i = 0; found && i < count && i < BK_GPIO_MOST; i++) {
    struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, lines[i].offset);
    found = line != NULL;
    if (found) gpiod_line_bulk_add(&wanted, line);
  }
  if (!found || gpiod_line_request_bulk_output(&wanted, user, low) < 0) {
    bk_gpio_release(request);
    return NULL;
  }
  request->lines = wanted;
  return request;
}

static inline int bk_gpio_descriptors(void *opaque, int *fds) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  for (unsigned i = 0; i < request->lines.num_lines; i++) fds[i] = gpiod_line_event_get_fd(request->lines.lines[i]);
  return (int)request->lines.num_lines;
}

static inline int bk_gpio_level(void *opaque, unsigned index) {
  int level = gpiod_line_get_value(((bk_gpio_request *)opaque)->lines.lines[index]);
  return level < 0 ? -errno : level;
}

static inline int bk_gpio_take_edges(void *opaque, bk_gpio_edge *edges, unsigned most) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  unsigned taken = 0;
  for (unsigned i = 0; i < request->lines.num_lines && taken < most; i++) {
    struct pollfd ready = {.fd = gpiod_line_event_get_fd(request->lines.lines[i]), .events = POLLIN};
    if (poll(&ready, 1, 0) <= 0) continue;
    struct gpiod_line_event events[16];
    unsigned room = most - taken < 16 ? most - taken : 16;
    int count = gpiod_line_event_read_fd_multiple(ready.fd, events, room);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    // Return the edges already read; the next call fails again.
    if (count < 0) return taken > 0 ? (int)taken : -errno;
    for (int j = 0; j < count; j++) {
      edges[taken].nanoseconds = (int64_t)events[j].ts.tv_sec * 1000000000 + events[j].ts.tv_nsec;
      edges[taken].index = i;
      edges[taken++].is_active = events[j].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
  }
  return (int)taken;
}

static inline int bk_gpio_set_levels(void *opaque, uint32_t levels) {
  bk_gpio_request *request = (bk_gpio_request *)opaque;
  int values[BK_GPIO_MOST];
  for (unsigned i = 0; i < request->lines.num_lines; i++) values[i] = (int)(levels >> i & 1);
  return gpiod_line_set_value_bulk(&request->lines, values) < 0 ? -errno : 0;
}
