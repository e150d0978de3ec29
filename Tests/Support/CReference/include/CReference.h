/// Decodes whole files with libmad and libfaad in the simplest way, as the reference for Decoding's packets. For tests
/// only.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A decoded or failed frame.
typedef struct {
  /// Byte offset in the file.
  size_t offset;
  /// Start of its PCM, in frames of two samples.
  size_t start;
  /// Number of PCM frames; 0 if decoding failed.
  size_t count;
  uint32_t rate;
  /// Channels reported by the library. The PCM always has two channels; mono is duplicated.
  uint32_t channels;
  /// The library's error; 0 for none.
  int error;
} reference_frame;

/// Decodes a file of MPEG audio with libmad, which receives the whole file in one buffer.
///
/// Writes at most `capacity` frames of two samples to `pcm` and at most `most` records to `frames`. Returns the number
/// of records. PCM has `bits` (16 or 24) in the upper bits of 24.
size_t reference_mad(const uint8_t *bytes, size_t count, int bits, int32_t *pcm, size_t capacity,
                     reference_frame *frames, size_t most);

/// Decodes an ADTS file with consecutive calls of NeAACDecDecode. Supports at most two channels (libfaad mixes 5.1
/// down).
size_t reference_faad(const uint8_t *bytes, size_t count, int bits, int32_t *pcm, size_t capacity,
                      reference_frame *frames, size_t most);

/// The maximum absolute value and the mean square of `count` samples. In C for speed: a test compares millions.
int32_t reference_peak(const int32_t *samples, size_t count);
double reference_power(const int32_t *samples, size_t count);

/// Returns the mean squared difference.
double reference_noise(const int32_t *one, const int32_t *other, size_t count);

/// Converts 16-bit little-endian PCM with 1 or 2 channels to frames of two samples, in the upper bits of 24.
void reference_widen(const uint8_t *bytes, size_t frames, int channels, int32_t *pcm);
