/// Imports libasound, with the audited list of its calls for the render thread.
///
/// snd_pcm_writei locks twice unless LIBASOUND_THREAD_SAFE=0 is set before snd_pcm_open; AlsaDevice sets it.
#pragma once

#include <alsa/asoundlib.h>

#define RT_SAFE __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size) RT_SAFE;
int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delay) RT_SAFE;
int snd_pcm_prepare(snd_pcm_t *pcm) RT_SAFE;
int snd_pcm_resume(snd_pcm_t *pcm) RT_SAFE;
int snd_pcm_drain(snd_pcm_t *pcm) RT_SAFE;
snd_pcm_state_t snd_pcm_state(snd_pcm_t *pcm) RT_SAFE;
int snd_pcm_drop(snd_pcm_t *pcm) RT_SAFE;
snd_pcm_sframes_t snd_pcm_rewindable(snd_pcm_t *pcm) RT_SAFE;
snd_pcm_sframes_t snd_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames) RT_SAFE;

/// Returns the card's playback volume control, by the usual names, best name first; NULL without a match.
static inline snd_mixer_elem_t *bk_alsa_volume(snd_mixer_t *mixer) {
  static const char *const names[] = {"Digital", "PCM", "Master", "Speaker", "Headphone", "Line Out", "DAC"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (snd_mixer_elem_t *elem = snd_mixer_first_elem(mixer); elem; elem = snd_mixer_elem_next(elem))
      if (!strcmp(snd_mixer_selem_get_name(elem), names[i]) && snd_mixer_selem_has_playback_volume(elem)) return elem;
  return NULL;
}

/// Writes a device's chain of plug-ins (snd_pcm_dump), not zero-terminated; returns the length, 0 on failure.
static inline size_t bk_alsa_describe(snd_pcm_t *pcm, char *text, size_t room) {
  snd_output_t *output;
  char *bytes;
  if (snd_output_buffer_open(&output) < 0) return 0;
  snd_pcm_dump(pcm, output);
  size_t count = snd_output_buffer_string(output, &bytes);
  if (count > room) count = room;
  memcpy(text, bytes, count);
  snd_output_close(output);
  return count;
}

static inline void bk_alsa_ignore(const char *file, int line, const char *function, int error, const char *format,
                                  ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}
/// Disables libasound's messages on standard error; Swift cannot declare a variadic handler.
static inline void bk_alsa_silence(void) { snd_lib_error_set_handler(bk_alsa_ignore); }
