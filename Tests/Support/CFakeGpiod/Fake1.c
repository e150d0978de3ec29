// libgpiod 1.6 over the fake chips, with a pipe for each watched line.
#define _GNU_SOURCE
#define FAKE_GPIOD 1
#include "../../../Sources/C/CGpiod/shim.h"
#include "FakeChip.h"

#include <fcntl.h>
#include <unistd.h>

bk_gpio_api fake_gpiod_1(void) { return bk_gpio_library(); }

static fake_chip *chip_of(struct gpiod_chip *chip) { return (fake_chip *)chip; }
static fake_line *line_of(struct gpiod_line *line) { return (fake_line *)line; }

static struct gpiod_chip *gpiod_chip_open(const char *path) { return (struct gpiod_chip *)fake_chip_at(path); }

static void gpiod_chip_close(struct gpiod_chip *chip) {
  (void)chip;
  fake_open--;
}

static const char *gpiod_chip_label(struct gpiod_chip *chip) { return chip_of(chip)->label; }

static unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return chip_of(chip)->count; }

static struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset) {
  return (struct gpiod_line *)fake_line_at(chip_of(chip), offset);
}

static struct gpiod_line *gpiod_chip_find_line(struct gpiod_chip *chip, const char *name) {
  return (struct gpiod_line *)fake_line_named(chip_of(chip), name);
}

static unsigned int gpiod_line_offset(struct gpiod_line *line) { return line_of(line)->offset; }

static const char *gpiod_line_consumer(struct gpiod_line *line) {
  return line_of(line)->state.is_requested ? line_of(line)->state.user : NULL;
}

static bool gpiod_line_is_used(struct gpiod_line *line) { return line_of(line)->state.is_requested; }

static int gpiod_line_request(struct gpiod_line *opaque, const struct gpiod_line_request_config *config, int value) {
  (void)value;
  fake_line *line = line_of(opaque);
  int ends[2];
  if (fake_line_request(line, config->consumer) < 0) return -1;
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  line->reads = ends[0];
  line->writes = ends[1];
  int flags = config->flags;
  line->state.is_active_low = flags & GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW;
  line->state.pull = flags & GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP     ? BK_PULL_UP
                     : flags & GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN ? BK_PULL_DOWN
                     : flags & GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE   ? BK_PULL_NONE
                                                                      : BK_PULL_AS_IS;
  fake_open++;
  return 0;
}

static int gpiod_line_request_bulk_output(struct gpiod_line_bulk *bulk, const char *consumer, const int *values) {
  for (unsigned i = 0; i < bulk->num_lines; i++) {
    if (!line_of(bulk->lines[i])->state.is_requested) continue;
    errno = EBUSY;
    return -1;
  }
  for (unsigned i = 0; i < bulk->num_lines; i++) {
    fake_line *line = line_of(bulk->lines[i]);
    if (fake_line_request(line, consumer) < 0) return -1;
    line->state.is_output = true;
    fake_line_drive(line, values[i]);
    fake_open++;
  }
  return 0;
}

static void gpiod_line_release_bulk(struct gpiod_line_bulk *bulk) {
  for (unsigned i = 0; i < bulk->num_lines; i++) {
    fake_line *line = line_of(bulk->lines[i]);
    if (line->reads >= 0) close(line->reads);
    if (line->writes >= 0) close(line->writes);
    fake_line_release(line);
    fake_open--;
  }
}

static int gpiod_line_get_value(struct gpiod_line *line) {
  errno = ENODEV;
  return line_of(line)->chip->is_lost ? -1 : fake_line_is_active(line_of(line));
}

static int gpiod_line_set_value_bulk(struct gpiod_line_bulk *bulk, const int *values) {
  for (unsigned i = 0; i < bulk->num_lines; i++) {
    errno = ENODEV;
    if (line_of(bulk->lines[i])->chip->is_lost) return -1;
    fake_line_drive(line_of(bulk->lines[i]), values[i]);
  }
  fake_heard();
  return 0;
}

static int gpiod_line_event_get_fd(struct gpiod_line *line) { return line_of(line)->reads; }

static int gpiod_line_event_read_fd_multiple(int fd, struct gpiod_line_event *events, unsigned int most) {
  fake_edge edges[16];
  int count = fake_take(fd, edges, (int)(most < 16 ? most : 16));
  for (int i = 0; i < count; i++) {
    events[i].ts.tv_sec = edges[i].nanoseconds / 1000000000;
    events[i].ts.tv_nsec = edges[i].nanoseconds % 1000000000;
    events[i].event_type = edges[i].is_active ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE;
  }
  return count;
}
