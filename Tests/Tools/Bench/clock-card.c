// A simulated sound card as a plug-in for alsa-lib (ioplug), built by rooms.py. It plays in real time with an optional
// deviation in ppm, reports its delay in frames, and records its audio with times.
//
//     pcm.card { type clock  ppm 200  file "/tmp/card" }
//
// /tmp/card.pcm contains the frames (s16le, stereo). Each line in /tmp/card.txt describes a continuous section: its
// first frame, its start time (CLOCK_MONOTONIC, in nanoseconds), and the frames played per second.
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>

typedef struct {
  snd_pcm_ioplug_t io;
  FILE *sound, *times;
  double rate;
  int64_t start;  // start time of the section; 0 while stopped
  uint64_t first, written;  // in frames: start of the section, and all
} card_t;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static uint64_t played(const card_t *card) {
  return card->start ? (uint64_t)((double)(now_ns() - card->start) * card->rate / 1e9) : 0;
}

static void set_timer(const card_t *card, int64_t interval) {
  struct timespec one = {interval / 1000000000, interval % 1000000000};
  struct itimerspec every = {one, one};
  timerfd_settime(card->io.poll_fd, 0, &every, NULL);
}

static int card_start(snd_pcm_ioplug_t *io) {
  card_t *card = io->private_data;
  card->start = now_ns();
  fprintf(card->times, "%llu %lld %.6f\n", (unsigned long long)card->first, (long long)card->start, card->rate);
  fflush(card->times);
  set_timer(card, (int64_t)((double)io->period_size * 1e9 / card->rate / 4));
  return 0;
}

static int card_stop(snd_pcm_ioplug_t *io) {
  card_t *card = io->private_data;
  set_timer(card, 0);
  card->start = 0;
  return 0;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
  card_t *card = io->private_data;
  card->start = 0;
  card->first = card->written;
  return 0;
}

// Returns the position in the section; an error after an underrun.
static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
  card_t *card = io->private_data;
  uint64_t frames = played(card);
  if (frames > card->written - card->first) return -EPIPE;
  return (snd_pcm_sframes_t)(frames % io->buffer_size);
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
  const card_t *card = io->private_data;
  *delay = (snd_pcm_sframes_t)(card->written - card->first) - (snd_pcm_sframes_t)played(card);
  return 0;
}

static snd_pcm_sframes_t card_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  card_t *card = io->private_data;
  const char *bytes = (const char *)areas->addr + (areas->first + areas->step * offset) / 8;
  if (fwrite(bytes, 4, size, card->sound) != size) return -EIO;
  card->written += size;
  fflush(card->sound);
  return (snd_pcm_sframes_t)size;
}

static int card_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
  (void)count;
  uint64_t times;
  *events = 0;
  if (descriptors[0].revents & POLLIN) {
    if (read(io->poll_fd, &times, sizeof times) < 0 && errno != EAGAIN) return -errno;
    *events = POLLOUT;
  }
  return 0;
}

static int card_close(snd_pcm_ioplug_t *io) {
  card_t *card = io->private_data;
  fclose(card->sound);
  fclose(card->times);
  close(io->poll_fd);
  free(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start, .stop = card_stop, .prepare = card_prepare, .pointer = card_pointer, .delay = card_delay,
    .transfer = card_transfer, .poll_revents = card_revents, .close = card_close};

static FILE *open_beside(const char *path, const char *suffix) {
  char name[4096];
  snprintf(name, sizeof name, "%s%s", path, suffix);
  return fopen(name, "a");
}

static int limit(snd_pcm_ioplug_t *io) {
  static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED}, format[] = {SND_PCM_FORMAT_S16_LE};
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (!error) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 2, 2);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, 48000, 48000);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 65536);
  if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1024, 262144);
  return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(clock) {
  (void)root;
  const char *file = NULL;
  long ppm = 0;
  snd_config_iterator_t at, next;
  snd_config_for_each(at, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(at);
    const char *id;
    if (snd_config_get_id(entry, &id) < 0) continue;
    if (!strcmp(id, "file")) snd_config_get_string(entry, &file);
    if (!strcmp(id, "ppm")) snd_config_get_integer(entry, &ppm);
  }
  card_t *card = file ? calloc(1, sizeof *card) : NULL;
  if (!card) return -EINVAL;
  card->rate = 48000.0 * (1.0 + (double)ppm / 1e6);
  card->sound = open_beside(file, ".pcm");
  card->times = open_beside(file, ".txt");
  if (!card->sound || !card->times) return -errno;
  fseek(card->sound, 0, SEEK_END);
  // The file contains the audio of earlier users of the card.
  card->first = card->written = (uint64_t)ftell(card->sound) / 4;
  card->io.version = SND_PCM_IOPLUG_VERSION;
  card->io.name = "A card made of a clock";
  card->io.callback = &callbacks;
  card->io.private_data = card;
  card->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  card->io.poll_events = POLLIN;
  int error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  if (!error) error = limit(&card->io);
  if (error) return error;
  *pcmp = card->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(clock);
