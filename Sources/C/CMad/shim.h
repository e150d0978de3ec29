/// libmad, and what Swift cannot import of it: its state in one piece, and its macros.
#pragma once

#include <mad.h>

/// All that decoding a stream of MPEG audio needs, about 36 KB.
typedef struct bk_mad {
  struct mad_stream stream;
  struct mad_frame frame;
  struct mad_synth synth;
} bk_mad;

static inline void bk_mad_init(bk_mad *mad) {
  mad_stream_init(&mad->stream);
  mad_frame_init(&mad->frame);
  mad_synth_init(&mad->synth);
  // Free format fails without it, and stations whose CRC is wrong are heard elsewhere too.
  mad_stream_options(&mad->stream, MAD_OPTION_IGNORECRC);
}

static inline void bk_mad_finish(bk_mad *mad) {
  mad_synth_finish(&mad->synth);
  mad_frame_finish(&mad->frame);
  mad_stream_finish(&mad->stream);
}

/// Forgets the bit reservoir, the overlap and the filter's past.
static inline void bk_mad_forget(bk_mad *mad) {
  mad->stream.md_len = 0;
  mad_frame_mute(&mad->frame);
  mad_synth_mute(&mad->synth);
}

/// The samples of one channel as they were synthesised, 28 fractional bits.
static inline const mad_fixed_t *bk_mad_samples(const bk_mad *mad, int channel) {
  return mad->synth.pcm.samples[channel];
}

/// What it calls itself, with its version: an array of a size that only the library knows.
static inline const char *bk_mad_version(void) {
  return mad_version;
}
