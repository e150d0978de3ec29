/// libopus, and its variadic functions as functions that Swift can call.
#pragma once

#include <opus/opus_multistream.h>

/// Multiplies all that comes out by a gain in 1/256 dB (OPUS_SET_GAIN).
static inline int bk_opus_set_gain(OpusDecoder *decoder, opus_int32 gain) {
  return opus_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

/// The same for packets of several streams.
static inline int bk_opus_multistream_set_gain(OpusMSDecoder *decoder, opus_int32 gain) {
  return opus_multistream_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

/// Forgets all packets so far (OPUS_RESET_STATE).
static inline int bk_opus_reset(OpusDecoder *decoder) { return opus_decoder_ctl(decoder, OPUS_RESET_STATE); }

/// The same for packets of several streams.
static inline int bk_opus_multistream_reset(OpusMSDecoder *decoder) {
  return opus_multistream_decoder_ctl(decoder, OPUS_RESET_STATE);
}
