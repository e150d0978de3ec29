/// Encodes and decodes FLAC, Vorbis and Opus with the codecs' own libraries in the simplest way. For tests only.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Concatenated packets, headers first. The caller frees them with `encoded_free`.
typedef struct {
  uint8_t *bytes;
  size_t byte_count;
  /// Bytes and frames of each packet.
  size_t *lengths;
  size_t *frames;
  size_t count;
  /// Number of header packets.
  size_t headers;
} encoded;

void encoded_free(encoded packets);

/// Encodes interleaved samples of `bits` bits to FLAC frames of `block` samples. The header is the 34 bytes of
/// STREAMINFO.
encoded encode_flac(const int32_t *samples, size_t count, int channels, int rate, int bits, int block);

/// Encodes interleaved samples to Vorbis, with three header packets.
encoded encode_vorbis(const float *samples, size_t count, int channels, int rate, float quality);

/// Encodes interleaved samples at 48,000 Hz to packets of `block` frames. The header is OpusHead with `gain` in 1/256
/// dB.
encoded encode_opus(const float *samples, size_t count, int channels, int bits_per_second, int block, int gain);

/// Decodes all packets to interleaved samples and returns the number of frames. `counts` receives the frames of each
/// packet.
size_t decode_vorbis(encoded packets, float *samples, size_t capacity, size_t *counts);
size_t decode_opus(encoded packets, float *samples, size_t capacity, size_t *counts);
