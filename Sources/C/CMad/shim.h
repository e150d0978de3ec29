/// Imports libmad; wraps its state in one structure, and its macros.
#pragma once

#include <mad.h>

/// The state of a decoder for MPEG audio, about 23 KB; libmad allocates 7 KB more.
typedef struct bk_mad {
  struct mad_stream stream;
  struct mad_frame frame;
  struct mad_synth synth;
} bk_mad;

static inline void bk_mad_init(bk_mad *mad) {
  mad_stream_init(&mad->stream);
  mad_frame_init(&mad->frame);
  mad_synth_init(&mad->synth);
  // Free format fails without this option, and other players also accept wrong CRCs.
  mad_stream_options(&mad->stream, MAD_OPTION_IGNORECRC);
}

static inline void bk_mad_finish(bk_mad *mad) {
  mad_synth_finish(&mad->synth);
  mad_frame_finish(&mad->frame);
  mad_stream_finish(&mad->stream);
}

/// Clears the bit reservoir, the overlap and the filter state.
static inline void bk_mad_forget(bk_mad *mad) {
  mad->stream.md_len = 0;
  mad_frame_mute(&mad->frame);
  mad_synth_mute(&mad->synth);
}

/// Returns the synthesised samples of a channel, with 28 fraction bits.
static inline const mad_fixed_t *bk_mad_samples(const bk_mad *mad, int channel) {
  return mad->synth.pcm.samples[channel];
}

/// Returns the library's name and version. Swift cannot import an array of unknown size.
static inline const char *bk_mad_version(void) {
  return mad_version;
}
