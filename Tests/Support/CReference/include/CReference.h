/// What libmad and libfaad make of a whole file when a C program calls them in the plainest way: the truth that
/// Decoding's packets are compared with. For tests only.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// One frame that decoded, or did not.
typedef struct {
  /// Where it began in the file.
  size_t offset;
  /// Where its PCM begins, in frames of two samples.
  size_t start;
  /// Its length in such frames; 0 where it failed.
  size_t count;
  uint32_t rate;
  /// Channels as the library tells them; its PCM here is of two all the same, mono twice.
  uint32_t channels;
  /// The library's error, 0 for none.
  int error;
} reference_frame;

/// Decodes a file of MPEG audio with libmad: mad_stream_buffer once over all of it, then frame by frame. Writes at most
/// `capacity` frames of two samples each to `pcm` and at most `most` to `frames`; returns how many frames there were.
/// PCM is of `bits` (16 or 24), in the upper bits of 24.
size_t reference_mad(const uint8_t *bytes, size_t count, int bits, int32_t *pcm, size_t capacity,
                     reference_frame *frames, size_t most);

/// Decodes a file of ADTS with libfaad, one NeAACDecDecode after the other, each going on where the last one stopped.
/// More than two channels are not taken (libfaad mixes 5.1 down).
size_t reference_faad(const uint8_t *bytes, size_t count, int bits, int32_t *pcm, size_t capacity,
                      reference_frame *frames, size_t most);

/// The loudest of `count` samples; the mean of their squares. In C, since a test compares millions.
int32_t reference_peak(const int32_t *samples, size_t count);
double reference_power(const int32_t *samples, size_t count);

/// The mean of the squared differences.
double reference_noise(const int32_t *one, const int32_t *other, size_t count);

/// PCM of `channels` (1 or 2) in 16 bits, the lower byte first, as frames of two samples in the upper bits of 24.
void reference_widen(const uint8_t *bytes, size_t frames, int channels, int32_t *pcm);
