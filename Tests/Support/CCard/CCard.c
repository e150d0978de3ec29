#define _GNU_SOURCE
#include "include/CCard.h"

#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THERE, GONE, BROKEN, HUNG };

/// Searched without a lock, because the render thread must not lock.
static struct card {
  snd_pcm_t *pcm;
  char folder[200];
  int file;
  long speed, bytes_per_frame, rate, buffer, period, threshold;
  /// `runs`: true if the card plays. `waits`: true if it has frames but fewer than its start threshold.
  bool runs, waits;
  int64_t start, written;
  /// Number of silent frames in whole writes since the last write with audio.
  int64_t silent;
  /// Time of the disconnection; 0 before.
  int64_t cut;
} cards[32];

static int64_t now_ns(const struct card *card) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec) * card->speed;
}

static void rest(const struct card *card) { nanosleep(&(struct timespec){.tv_nsec = 2000000 / card->speed}, NULL); }

static struct card *card_of(snd_pcm_t *pcm) {
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
    if (__atomic_load_n(&cards[i].pcm, __ATOMIC_ACQUIRE) == pcm) return &cards[i];
  return NULL;
}

/// Reads a small file in a card's folder; empty if the file does not exist.
static ssize_t text_of(const char *folder, const char *name, char *text, size_t room) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? 0 : read(file, text, room - 1);
  if (file >= 0) close(file);
  text[count > 0 ? count : 0] = 0;
  return count;
}

/// Returns the clock factor in FOLDER/speed; 1 without the file.
static long speed(const char *folder) {
  char word[16];
  return text_of(folder, "speed", word, sizeof word) > 0 && atol(word) > 1 ? atol(word) : 1;
}

static int state(const char *folder) {
  char word[8];
  ssize_t count = text_of(folder, "state", word, sizeof word);
  return count < 4 ? THERE : strncmp(word, "gone", 4) == 0 ? GONE : strncmp(word, "brok", 4) == 0 ? BROKEN
    : strncmp(word, "hung", 4) == 0 ? HUNG : THERE;
}

/// Returns the number of frames still to play; negative after an underrun.
static int64_t left(struct card *card) {
  if (card->waits) return card->written;
  if (!card->runs) return 0;
  int64_t elapsed = (card->cut ? card->cut : now_ns(card)) - card->start;
  return card->written - elapsed / 1000 * card->rate / 1000000;
}

static bool is_cut(struct card *card) {
  if (card->cut) return true;
  int now = state(card->folder);
  if (now == GONE || now == BROKEN) card->cut = now_ns(card);
  return card->cut != 0;
}

/// Appends a line to a small file in a card's folder.
static void note(const char *folder, const char *name, const char *line) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  ssize_t ignored = write(file, line, strlen(line));
  (void)ignored;
  close(file);
}

/// Returns the end of the recording in frames.
static long recorded(const struct card *card) {
  return (long)lseek(card->file, 0, SEEK_END) / card->bytes_per_frame;
}

/// Removes the last frames of the recording. Returns false on failure.
static bool shorten(const struct card *card, int64_t frames) {
  off_t end = lseek(card->file, 0, SEEK_END) - (off_t)frames * card->bytes_per_frame;
  return ftruncate(card->file, end) == 0 && lseek(card->file, 0, SEEK_END) == end;
}

/// Removes unplayed frames from the recording.
static void drop(struct card *card) {
  int64_t unheard = left(card);
  if (unheard > 0) shorten(card, unheard);
  card->runs = card->waits = false;
}

/// Records a continuous section in FOLDER/times: its first frame, its start time in nanoseconds, and its rate.
static void note_start(const struct card *card) {
  char line[80];
  long first = recorded(card) - (long)card->written;
  snprintf(line, sizeof line, "%ld %lld %ld\n", first, (long long)card->start, card->rate);
  note(card->folder, "times", line);
}

static void start(struct card *card) {
  card->waits = false;
  card->runs = true;
  card->start = now_ns(card);
  note_start(card);
}

static void measure(struct card *card, snd_pcm_t *pcm) {
  snd_pcm_hw_params_t *parameters;
  snd_pcm_hw_params_alloca(&parameters);
  unsigned rate = 0;
  snd_pcm_uframes_t buffer = 0, period = 0;
  if (snd_pcm_hw_params_current(pcm, parameters) == 0) snd_pcm_hw_params_get_rate(parameters, &rate, NULL);
  snd_pcm_get_params(pcm, &buffer, &period);
  card->bytes_per_frame = snd_pcm_frames_to_bytes(pcm, 1);
  card->rate = rate;
  card->buffer = (long)buffer;
  card->period = (long)period;
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  snd_pcm_uframes_t threshold = 1;
  if (snd_pcm_sw_params_current(pcm, software) == 0) snd_pcm_sw_params_get_start_threshold(software, &threshold);
  card->threshold = (long)threshold;
}

static bool is_silence(const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i]) return false;
  return true;
}

bool card_takes(snd_pcm_t *pcm, const void *frames, unsigned long count, long *result) {
  struct card *card = card_of(pcm);
  if (!card) return false;
  while (state(card->folder) == HUNG) rest(card);
  if (is_cut(card)) {
    *result = state(card->folder) == GONE ? -ENODEV : -EIO;
    return true;
  }
  if (card->runs && left(card) < 0) {
    card->runs = false;
    *result = -EPIPE;
    return true;
  }
  if (!card->runs && !card->waits) {
    measure(card, pcm);
    card->written = 0;
    card->silent = 0;
    card->waits = true;
  }
  card->silent = is_silence(frames, count * card->bytes_per_frame) ? card->silent + (int64_t)count : 0;
  *result = write(card->file, frames, count * card->bytes_per_frame) < 0 ? -EIO : (long)count;
  card->written += count;
  if (card->waits && card->written >= card->threshold) start(card);
  while (!card->waits && !is_cut(card) && left(card) > card->buffer) rest(card);
  return true;
}

/// The original function in libasound, looked up once.
#define NEXT(name)                                                      \
  ({                                                                    \
    static __typeof__(&name) kept;                                      \
    __typeof__(&name) found = __atomic_load_n(&kept, __ATOMIC_RELAXED); \
    if (!found) {                                                       \
      found = (__typeof__(&name))dlsym(RTLD_NEXT, #name);               \
      __atomic_store_n(&kept, found, __ATOMIC_RELAXED);                 \
    }                                                                   \
    found;                                                              \
  })

__attribute__((weak)) snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *frames, snd_pcm_uframes_t count) {
  long result;
  return card_takes(pcm, frames, count, &result) ? result : NEXT(snd_pcm_writei)(pcm, frames, count);
}

int snd_pcm_open(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode) {
  if (strncmp(name, "bench:", 6) != 0) return NEXT(snd_pcm_open)(pcm, name, stream, mode);
  const char *folder = name + 6;
  char path[256];
  if (state(folder) != THERE) return -ENODEV;
  snprintf(path, sizeof path, "%s/open", folder);
  int lock = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (lock < 0) return -EBUSY;
  close(lock);
  int result = NEXT(snd_pcm_open)(pcm, "null", stream, mode);
  if (result < 0) return result;
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
    snd_pcm_t *none = NULL, *taken = (snd_pcm_t *)1;
    if (!__atomic_compare_exchange_n(&cards[i].pcm, &none, taken, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) continue;
    struct card *card = &cards[i];
    snprintf(card->folder, sizeof card->folder, "%s", folder);
    snprintf(path, sizeof path, "%s/pcm", folder);
    card->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    card->runs = card->waits = false;
    card->cut = 0;
    card->speed = speed(folder);
    __atomic_store_n(&card->pcm, *pcm, __ATOMIC_RELEASE);
    return 0;
  }
  return -ENOMEM;
}

int snd_pcm_close(snd_pcm_t *pcm) {
  struct card *card = card_of(pcm);
  if (card) {
    char path[256];
    drop(card);
    close(card->file);
    snprintf(path, sizeof path, "%s/open", card->folder);
    unlink(path);
    __atomic_store_n(&card->pcm, NULL, __ATOMIC_RELEASE);
  }
  return NEXT(snd_pcm_close)(pcm);
}

int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delay) {
  struct card *card = card_of(pcm);
  if (!card) return NEXT(snd_pcm_delay)(pcm, delay);
  if (is_cut(card) && state(card->folder) == GONE) return -ENODEV;
  int64_t frames = left(card);
  *delay = frames > 0 ? frames : 0;
  return 0;
}

/// Records a drain in frames: end of the recording, frames since the preparation, period, and silence that fills it.
static void note_drain(const struct card *card) {
  char line[96];
  long fill = (long)card->silent % (card->period > 0 ? card->period : 1);
  snprintf(line, sizeof line, "%ld %ld %ld %ld\n", recorded(card), (long)card->written, card->period, fill);
  note(card->folder, "drains", line);
}

int snd_pcm_drain(snd_pcm_t *pcm) {
  struct card *card = card_of(pcm);
  if (!card) return NEXT(snd_pcm_drain)(pcm);
  if (card->waits && !is_cut(card)) start(card);
  if (card->runs && !is_cut(card)) note_drain(card);
  while (!is_cut(card) && left(card) > 0) rest(card);
  if (card->cut) return -ENODEV;
  card->runs = false;
  return 0;
}

int snd_pcm_drop(snd_pcm_t *pcm) {
  struct card *card = card_of(pcm);
  if (card) drop(card);
  return NEXT(snd_pcm_drop)(pcm);
}

int snd_pcm_prepare(snd_pcm_t *pcm) {
  struct card *card = card_of(pcm);
  if (card && !card->cut) drop(card);
  return card && card->cut ? -ENODEV : NEXT(snd_pcm_prepare)(pcm);
}

/// True if the card can drop queued frames; false if FOLDER/rewind contains "no".
static bool can_rewind(const struct card *card) {
  char word[8];
  return text_of(card->folder, "rewind", word, sizeof word) < 2 || strncmp(word, "no", 2) != 0;
}

int snd_pcm_dump(snd_pcm_t *pcm, snd_output_t *output) {
  struct card *card = card_of(pcm);
  if (!card || !can_rewind(card)) return NEXT(snd_pcm_dump)(pcm, output);
  snd_output_puts(output, "Hardware PCM card, simulated\n");
  return 0;
}

snd_pcm_sframes_t snd_pcm_rewindable(snd_pcm_t *pcm) {
  struct card *card = card_of(pcm);
  if (!card) return NEXT(snd_pcm_rewindable)(pcm);
  int64_t frames = left(card);
  return is_cut(card) ? -ENODEV : frames < 0 ? -EPIPE : (snd_pcm_sframes_t)frames;
}

snd_pcm_sframes_t snd_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames) {
  struct card *card = card_of(pcm);
  if (!card) return NEXT(snd_pcm_rewind)(pcm, frames);
  snd_pcm_sframes_t most = snd_pcm_rewindable(pcm);
  if (most < 0) return most;
  if (frames > (snd_pcm_uframes_t)most) frames = (snd_pcm_uframes_t)most;
  if (!shorten(card, (int64_t)frames)) return -EIO;
  card->written -= (int64_t)frames;
  return (snd_pcm_sframes_t)frames;
}

snd_pcm_state_t snd_pcm_state(snd_pcm_t *pcm) {
  struct card *card = card_of(pcm);
  if (!card) return NEXT(snd_pcm_state)(pcm);
  return is_cut(card) ? SND_PCM_STATE_DISCONNECTED : card->runs ? SND_PCM_STATE_RUNNING : SND_PCM_STATE_PREPARED;
}

// Supported formats: FOLDER/rates has a line for each sample format, "S16_LE 44100 48000". Without the file, all are
// supported.

/// Returns true if a card supports a format at a rate. A negative format or a rate of 0 matches anything.
static bool suits(struct card *card, int format, unsigned rate) {
  char text[512];
  if (text_of(card->folder, "rates", text, sizeof text) <= 0) return true;
  for (char *line = text, *next; line && *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    char *rest, *word = strtok_r(line, " ", &rest);
    if (!word || (format >= 0 && strcmp(word, snd_pcm_format_name(format)) != 0)) continue;
    if (rate == 0) return true;
    while ((word = strtok_r(NULL, " ", &rest)))
      if ((unsigned)atol(word) == rate) return true;
  }
  return false;
}

/// Returns the only format of the parameters; -1 if several are possible.
static int format_of(snd_pcm_hw_params_t *parameters) {
  snd_pcm_format_t format;
  return snd_pcm_hw_params_get_format(parameters, &format) == 0 ? format : -1;
}

int snd_pcm_hw_params_test_format(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters, snd_pcm_format_t format) {
  struct card *card = card_of(pcm);
  if (card && !suits(card, format, 0)) return -EINVAL;
  return NEXT(snd_pcm_hw_params_test_format)(pcm, parameters, format);
}

int snd_pcm_hw_params_test_rate(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters, unsigned rate, int direction) {
  struct card *card = card_of(pcm);
  if (card && !suits(card, format_of(parameters), rate)) return -EINVAL;
  return NEXT(snd_pcm_hw_params_test_rate)(pcm, parameters, rate, direction);
}

int snd_pcm_hw_params_set_rate(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters, unsigned rate, int direction) {
  struct card *card = card_of(pcm);
  if (card && !suits(card, format_of(parameters), rate)) return -EINVAL;
  return NEXT(snd_pcm_hw_params_set_rate)(pcm, parameters, rate, direction);
}

// The mixer: if FOLDER/mixer exists, it contains the name of the only control and the range in dB, "Digital -60 0".
// FOLDER/volumes has a line for each setting: hundredths of a dB, or "off".

static struct mixer {
  snd_mixer_t *handle;
  char folder[200], name[32];
  long least, most;
} mixers[8];

static struct mixer *control(snd_mixer_elem_t *element) {
  struct mixer *mixer = (struct mixer *)element;
  return mixer >= mixers && mixer < mixers + 8 ? mixer : NULL;
}

static void note_volume(struct mixer *mixer, const char *word) {
  char line[32];
  snprintf(line, sizeof line, "%s\n", word);
  note(mixer->folder, "volumes", line);
}

int snd_mixer_attach(snd_mixer_t *handle, const char *name) {
  if (strncmp(name, "bench:", 6) != 0) return NEXT(snd_mixer_attach)(handle, name);
  char path[256];
  snprintf(path, sizeof path, "%s/mixer", name + 6);
  FILE *file = fopen(path, "r");
  if (!file) return -ENOENT;
  struct mixer *mixer = mixers;
  while (mixer < mixers + 7 && mixer->handle) mixer++;
  int count = fscanf(file, "%31s %ld %ld", mixer->name, &mixer->least, &mixer->most);
  fclose(file);
  if (count < 3) return -EINVAL;
  snprintf(mixer->folder, sizeof mixer->folder, "%s", name + 6);
  mixer->handle = handle;
  return 0;
}

int snd_mixer_close(snd_mixer_t *handle) {
  for (size_t i = 0; i < 8; i++)
    if (mixers[i].handle == handle) mixers[i].handle = NULL;
  return NEXT(snd_mixer_close)(handle);
}

snd_mixer_elem_t *snd_mixer_first_elem(snd_mixer_t *handle) {
  for (size_t i = 0; i < 8; i++)
    if (mixers[i].handle == handle) return (snd_mixer_elem_t *)&mixers[i];
  return NEXT(snd_mixer_first_elem)(handle);
}

snd_mixer_elem_t *snd_mixer_elem_next(snd_mixer_elem_t *element) {
  return control(element) ? NULL : NEXT(snd_mixer_elem_next)(element);
}

const char *snd_mixer_selem_get_name(snd_mixer_elem_t *element) {
  struct mixer *mixer = control(element);
  return mixer ? mixer->name : NEXT(snd_mixer_selem_get_name)(element);
}

#define HAS(name) \
  int name(snd_mixer_elem_t *element) { return control(element) ? 1 : NEXT(name)(element); }
HAS(snd_mixer_selem_has_playback_volume)
HAS(snd_mixer_selem_has_playback_switch)

int snd_mixer_selem_get_playback_volume_range(snd_mixer_elem_t *element, long *least, long *most) {
  if (!control(element)) return NEXT(snd_mixer_selem_get_playback_volume_range)(element, least, most);
  *least = 0;
  *most = 100;
  return 0;
}

int snd_mixer_selem_get_playback_dB_range(snd_mixer_elem_t *element, long *least, long *most) {
  struct mixer *mixer = control(element);
  if (!mixer) return NEXT(snd_mixer_selem_get_playback_dB_range)(element, least, most);
  *least = mixer->least * 100;
  *most = mixer->most * 100;
  return 0;
}

int snd_mixer_selem_set_playback_switch_all(snd_mixer_elem_t *element, int is_on) {
  struct mixer *mixer = control(element);
  if (!mixer) return NEXT(snd_mixer_selem_set_playback_switch_all)(element, is_on);
  if (!is_on) note_volume(mixer, "off");
  return 0;
}

int snd_mixer_selem_set_playback_volume_all(snd_mixer_elem_t *element, long value) {
  return control(element) ? 0 : NEXT(snd_mixer_selem_set_playback_volume_all)(element, value);
}

int snd_mixer_selem_set_playback_dB_all(snd_mixer_elem_t *element, long value, int direction) {
  struct mixer *mixer = control(element);
  if (!mixer) return NEXT(snd_mixer_selem_set_playback_dB_all)(element, value, direction);
  char word[24];
  snprintf(word, sizeof word, "%ld", value);
  note_volume(mixer, word);
  return 0;
}
