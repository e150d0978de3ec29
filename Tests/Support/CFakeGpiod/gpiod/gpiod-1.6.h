// The part of libgpiod 1.6's API that Bakelite uses, implemented by the including file.
#include <stdbool.h>
#include <time.h>

#define GPIOD_LINE_BULK_MAX_LINES 64

struct gpiod_chip;
struct gpiod_line;

struct gpiod_line_bulk {
  struct gpiod_line *lines[GPIOD_LINE_BULK_MAX_LINES];
  unsigned int num_lines;
};

static inline void gpiod_line_bulk_init(struct gpiod_line_bulk *bulk) { bulk->num_lines = 0; }
static inline void gpiod_line_bulk_add(struct gpiod_line_bulk *bulk, struct gpiod_line *line) {
  bulk->lines[bulk->num_lines++] = line;
}

enum { GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES = 6 };
enum {
  GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW = 1 << 2,
  GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE = 1 << 3,
  GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN = 1 << 4,
  GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP = 1 << 5,
};
enum { GPIOD_LINE_EVENT_RISING_EDGE = 1, GPIOD_LINE_EVENT_FALLING_EDGE };

struct gpiod_line_request_config {
  const char *consumer;
  int request_type;
  int flags;
};

struct gpiod_line_event {
  struct timespec ts;
  int event_type;
};

static struct gpiod_chip *gpiod_chip_open(const char *path);
static void gpiod_chip_close(struct gpiod_chip *chip);
static const char *gpiod_chip_label(struct gpiod_chip *chip);
static unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip);
static struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset);
static struct gpiod_line *gpiod_chip_find_line(struct gpiod_chip *chip, const char *name);
static unsigned int gpiod_line_offset(struct gpiod_line *line);
static const char *gpiod_line_consumer(struct gpiod_line *line);
static bool gpiod_line_is_used(struct gpiod_line *line);
static int gpiod_line_request(struct gpiod_line *line, const struct gpiod_line_request_config *config, int value);
static int gpiod_line_request_bulk_output(struct gpiod_line_bulk *bulk, const char *consumer, const int *values);
static void gpiod_line_release_bulk(struct gpiod_line_bulk *bulk);
static int gpiod_line_get_value(struct gpiod_line *line);
static int gpiod_line_set_value_bulk(struct gpiod_line_bulk *bulk, const int *values);
static int gpiod_line_event_get_fd(struct gpiod_line *line);
static int gpiod_line_event_read_fd_multiple(int fd, struct gpiod_line_event *events, unsigned int count);
