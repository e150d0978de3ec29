/// Packets of FLAC, Vorbis and Opus made by the libraries' own encoders, and what the libraries make of them when a C
/// program calls them in the plainest way. For tests only.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Packets one after the other, the headers first. Whoever gets them frees them.
typedef struct {
  uint8_t *bytes;
  size_t byte_count;
  /// Bytes of each packet, and frames that it is said to hold.
  size_t *lengths;
  size_t *frames;
  size_t count;
  /// How many of them are headers.
  size_t headers;
} encoded;

void encoded_free(encoded packets);

/// Encodes interleaved samples of `bits` to FLAC frames of `block` samples; the header is STREAMINFO's 34 bytes.
encoded encode_flac(const int32_t *samples, size_t count, int channels, int rate, int bits, int block);

/// Encodes interleaved samples; the headers are the three of Vorbis.
encoded encode_vorbis(const float *samples, size_t count, int channels, int rate, float quality);

/// Encodes interleaved samples of 48,000 Hz to packets of `block` frames; the header is OpusHead, with a gain in
/// 1/256 dB.
encoded encode_opus(const float *samples, size_t count, int channels, int bits_per_second, int block, int gain);

/// Decodes all packets, for each of which `counts` has room, to interleaved samples; how many frames there were.
size_t decode_vorbis(encoded packets, float *samples, size_t capacity, size_t *counts);
size_t decode_opus(encoded packets, float *samples, size_t capacity, size_t *counts);
