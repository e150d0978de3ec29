// The part of libgpiod 2.x's API that Bakelite uses, implemented by the including file.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpiod_chip;
struct gpiod_chip_info;
struct gpiod_line_info;
struct gpiod_line_settings;
struct gpiod_line_config;
struct gpiod_request_config;
struct gpiod_line_request;
struct gpiod_edge_event;
struct gpiod_edge_event_buffer;

enum gpiod_line_value {
  GPIOD_LINE_VALUE_ERROR = -1,
  GPIOD_LINE_VALUE_INACTIVE = 0,
  GPIOD_LINE_VALUE_ACTIVE = 1,
};
enum gpiod_line_direction { GPIOD_LINE_DIRECTION_INPUT = 2, GPIOD_LINE_DIRECTION_OUTPUT };
enum gpiod_line_edge { GPIOD_LINE_EDGE_BOTH = 4 };
enum gpiod_line_bias {
  GPIOD_LINE_BIAS_AS_IS = 1,
  GPIOD_LINE_BIAS_DISABLED = 3,
  GPIOD_LINE_BIAS_PULL_UP,
  GPIOD_LINE_BIAS_PULL_DOWN,
};
enum gpiod_line_clock { GPIOD_LINE_CLOCK_MONOTONIC = 1 };
enum gpiod_edge_event_type { GPIOD_EDGE_EVENT_RISING_EDGE = 1, GPIOD_EDGE_EVENT_FALLING_EDGE };

static struct gpiod_chip *gpiod_chip_open(const char *path);
static void gpiod_chip_close(struct gpiod_chip *chip);
static struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip);
static struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset);
static int gpiod_chip_get_line_offset_from_name(struct gpiod_chip *chip, const char *name);
static struct gpiod_line_request *gpiod_chip_request_lines(struct gpiod_chip *chip, struct gpiod_request_config *wishes,
                                                           struct gpiod_line_config *config);
static void gpiod_chip_info_free(struct gpiod_chip_info *info);
static const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info);
static size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info);
static void gpiod_line_info_free(struct gpiod_line_info *info);
static bool gpiod_line_info_is_used(struct gpiod_line_info *info);
static const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info);
static struct gpiod_line_settings *gpiod_line_settings_new(void);
static void gpiod_line_settings_free(struct gpiod_line_settings *settings);
static void gpiod_line_settings_reset(struct gpiod_line_settings *settings);
static int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings, enum gpiod_line_direction direction);
static int gpiod_line_settings_set_edge_detection(struct gpiod_line_settings *settings, enum gpiod_line_edge edge);
static int gpiod_line_settings_set_bias(struct gpiod_line_settings *settings, enum gpiod_line_bias bias);
static void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool is_active_low);
static void gpiod_line_settings_set_debounce_period_us(struct gpiod_line_settings *settings, unsigned long period);
static int gpiod_line_settings_set_event_clock(struct gpiod_line_settings *settings, enum gpiod_line_clock clock);
static int gpiod_line_settings_set_output_value(struct gpiod_line_settings *settings, enum gpiod_line_value value);
static struct gpiod_line_config *gpiod_line_config_new(void);
static void gpiod_line_config_free(struct gpiod_line_config *config);
static int gpiod_line_config_add_line_settings(struct gpiod_line_config *config, const unsigned int *offsets,
                                               size_t count, struct gpiod_line_settings *settings);
static struct gpiod_request_config *gpiod_request_config_new(void);
static void gpiod_request_config_free(struct gpiod_request_config *config);
static void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer);
static void gpiod_line_request_release(struct gpiod_line_request *request);
static enum gpiod_line_value gpiod_line_request_get_value(struct gpiod_line_request *request, unsigned int offset);
static int gpiod_line_request_set_values(struct gpiod_line_request *request, const enum gpiod_line_value *values);
static int gpiod_line_request_get_fd(struct gpiod_line_request *request);
static int gpiod_line_request_wait_edge_events(struct gpiod_line_request *request, int64_t nanoseconds);
static int gpiod_line_request_read_edge_events(struct gpiod_line_request *request,
                                               struct gpiod_edge_event_buffer *buffer, size_t most);
static enum gpiod_edge_event_type gpiod_edge_event_get_event_type(struct gpiod_edge_event *event);
static uint64_t gpiod_edge_event_get_timestamp_ns(struct gpiod_edge_event *event);
static unsigned int gpiod_edge_event_get_line_offset(struct gpiod_edge_event *event);
static struct gpiod_edge_event_buffer *gpiod_edge_event_buffer_new(size_t capacity);
static void gpiod_edge_event_buffer_free(struct gpiod_edge_event_buffer *buffer);
static struct gpiod_edge_event *gpiod_edge_event_buffer_get_event(struct gpiod_edge_event_buffer *buffer,
                                                                  unsigned long index);
