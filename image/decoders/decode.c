// Decodes a file of ADTS frames with libfaad as the radio does (16 bits per sample). Writes the samples to standard
// output, and the number of seconds to standard error.
#include <neaacdec.h>
#include <stdio.h>

int main(int count, char **words) {
  static unsigned char bytes[16 << 20];
  FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
  if (!file) return 2;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  NeAACDecHandle decoder = NeAACDecOpen();
  NeAACDecConfigurationPtr configuration = NeAACDecGetCurrentConfiguration(decoder);
  configuration->outputFormat = FAAD_FMT_16BIT;
  NeAACDecSetConfiguration(decoder, configuration);
  unsigned long rate;
  unsigned char channels;
  long start = NeAACDecInit(decoder, bytes, size, &rate, &channels);
  if (start < 0) return 1;
  double seconds = 0;
  for (size_t at = (size_t)start; at < size;) {
    NeAACDecFrameInfo info;
    short *samples = NeAACDecDecode(decoder, &info, bytes + at, size - at);
    if (info.error || info.bytesconsumed == 0) break;
    if (samples) fwrite(samples, 2, info.samples, stdout);
    if (info.samples) seconds += (double)info.samples / info.channels / (double)info.samplerate;
    at += info.bytesconsumed;
  }
  fprintf(stderr, "seconds %f\n", seconds);
  return 0;
}
