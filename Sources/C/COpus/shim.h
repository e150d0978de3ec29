/// Imports libopus; wraps its variadic functions for Swift.
#pragma once

#include <opus/opus_multistream.h>

/// Sets the output gain in 1/256 dB (OPUS_SET_GAIN).
static inline int bk_opus_set_gain(OpusDecoder *decoder, opus_int32 gain) {
  return opus_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

static inline int bk_opus_multistream_set_gain(OpusMSDecoder *decoder, opus_int32 gain) {
  return opus_multistream_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

static inline int bk_opus_reset(OpusDecoder *decoder) { return opus_decoder_ctl(decoder, OPUS_RESET_STATE); }

static inline int bk_opus_multistream_reset(OpusMSDecoder *decoder) {
  return opus_multistream_decoder_ctl(decoder, OPUS_RESET_STATE);
}
