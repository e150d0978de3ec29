#include "CReference.h"

#include <mad.h>
#include <neaacdec.h>
#include <stdlib.h>
#include <string.h>

static int32_t clip(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

static int32_t rounded(mad_fixed_t sample, int bits) {
  int32_t fine = clip(sample + 16, -(1 << 28), (1 << 28) - 1) >> 5;
  return bits == 24 ? fine : clip((fine + 128) >> 8, -32768, 32767) * 256;
}

size_t reference_mad(const uint8_t *bytes, size_t count, int bits, int32_t *pcm, size_t capacity,
                     reference_frame *frames, size_t most) {
  uint8_t *file = calloc(1, count + MAD_BUFFER_GUARD);
  memcpy(file, bytes, count);
  struct mad_stream stream;
  struct mad_frame frame;
  struct mad_synth synth;
  mad_stream_init(&stream);
  mad_frame_init(&frame);
  mad_synth_init(&synth);
  mad_stream_options(&stream, MAD_OPTION_IGNORECRC);
  mad_stream_buffer(&stream, file, count + MAD_BUFFER_GUARD);

  size_t made = 0, place = 0;
  while (made < most) {
    int failed = mad_frame_decode(&frame, &stream);
    if (failed && (!MAD_RECOVERABLE(stream.error) || stream.this_frame >= file + count)) break;
    reference_frame *out = &frames[made++];
    *out = (reference_frame){.offset = (size_t)(stream.this_frame - file), .start = place};
    if (failed) out->error = (int)stream.error;
    if (failed) continue;
    mad_synth_frame(&synth, &frame);
    out->rate = synth.pcm.samplerate;
    out->channels = synth.pcm.channels;
    if (place + synth.pcm.length > capacity) break;
    out->count = synth.pcm.length;
    for (unsigned index = 0; index < synth.pcm.length; index++) {
      for (int side = 0; side < 2; side++) {
        pcm[2 * (place + index) + side] = rounded(synth.pcm.samples[synth.pcm.channels == 2 ? side : 0][index], bits);
      }
    }
    place += synth.pcm.length;
  }
  mad_synth_finish(&synth);
  mad_frame_finish(&frame);
  mad_stream_finish(&stream);
  free(file);
  return made;
}

size_t reference_faad(const uint8_t *bytes, size_t count, int bits, int32_t *pcm, size_t capacity,
                      reference_frame *frames, size_t most) {
  uint8_t *file = calloc(1, count + 1);
  memcpy(file, bytes, count);
  NeAACDecHandle faad = NeAACDecOpen();
  NeAACDecConfigurationPtr configuration = NeAACDecGetCurrentConfiguration(faad);
  configuration->outputFormat = bits == 16 ? FAAD_FMT_16BIT : FAAD_FMT_24BIT;
  configuration->downMatrix = 1;
  configuration->dontUpSampleImplicitSBR = 1;
  NeAACDecSetConfiguration(faad, configuration);

  unsigned long rate = 0;
  unsigned char channels = 0;
  long skipped = NeAACDecInit(faad, file, count, &rate, &channels);
  size_t made = 0, place = 0, offset = skipped < 0 ? count : (size_t)skipped;
  while (made < most && offset < count) {
    NeAACDecFrameInfo info;
    void *samples = NeAACDecDecode(faad, &info, file + offset, count - offset);
    reference_frame *out = &frames[made++];
    *out = (reference_frame){.offset = offset, .start = place, .error = info.error};
    if (info.error || info.bytesconsumed == 0) break;
    offset += info.bytesconsumed;
    if (info.samples == 0) continue;
    out->rate = (uint32_t)info.samplerate;
    out->channels = info.channels;
    size_t length = info.samples / info.channels;
    if (info.channels > 2 || place + length > capacity) break;
    out->count = length;
    for (size_t index = 0; index < length; index++) {
      for (int side = 0; side < 2; side++) {
        size_t from = index * info.channels + (info.channels == 2 ? (size_t)side : 0);
        pcm[2 * (place + index) + side] = bits == 16 ? ((int16_t *)samples)[from] * 256 : ((int32_t *)samples)[from];
      }
    }
    place += length;
  }
  NeAACDecClose(faad);
  free(file);
  return made;
}

int32_t reference_peak(const int32_t *samples, size_t count) {
  int32_t peak = 0;
  for (size_t index = 0; index < count; index++) {
    int32_t loud = samples[index] < 0 ? -samples[index] : samples[index];
    if (loud > peak) peak = loud;
  }
  return peak;
}

double reference_power(const int32_t *samples, size_t count) {
  double sum = 0;
  for (size_t index = 0; index < count; index++) sum += (double)samples[index] * samples[index];
  return count == 0 ? 0 : sum / (double)count;
}

double reference_noise(const int32_t *one, const int32_t *other, size_t count) {
  double sum = 0;
  for (size_t index = 0; index < count; index++) {
    double difference = (double)one[index] - other[index];
    sum += difference * difference;
  }
  return count == 0 ? 0 : sum / (double)count;
}

void reference_widen(const uint8_t *bytes, size_t frames, int channels, int32_t *pcm) {
  for (size_t index = 0; index < 2 * frames; index++) {
    const uint8_t *sample = bytes + 2 * (channels == 2 ? index : index / 2);
    pcm[index] = (int16_t)(sample[0] | sample[1] << 8) * 256;
  }
}
