#include "CEncoders.h"

#include <FLAC/stream_encoder.h>
#include <opus/opus_multistream.h>
#include <stdlib.h>
#include <string.h>
#include <vorbis/vorbisenc.h>

static void append(encoded *to, const void *bytes, size_t count, size_t frames) {
  to->bytes = realloc(to->bytes, to->byte_count + count + 1);
  to->lengths = realloc(to->lengths, (to->count + 1) * sizeof(size_t));
  to->frames = realloc(to->frames, (to->count + 1) * sizeof(size_t));
  memcpy(to->bytes + to->byte_count, bytes, count);
  to->byte_count += count;
  to->lengths[to->count] = count;
  to->frames[to->count++] = frames;
}

void encoded_free(encoded packets) {
  free(packets.bytes);
  free(packets.lengths);
  free(packets.frames);
}

// MARK: FLAC

static FLAC__StreamEncoderWriteStatus write_flac(const FLAC__StreamEncoder *encoder, const FLAC__byte *bytes,
                                                 size_t count, uint32_t samples, uint32_t frame, void *to) {
  (void)encoder, (void)frame;
  encoded *packets = to;
  if (samples > 0) append(packets, bytes, count, samples);
  // The block header has 4 bytes; type 0 is STREAMINFO.
  else if (count == 38 && (bytes[0] & 0x7F) == 0) append(packets, bytes + 4, 34, 0), packets->headers = 1;
  return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
}

encoded encode_flac(const int32_t *samples, size_t count, int channels, int rate, int bits, int block) {
  encoded packets = {0};
  FLAC__StreamEncoder *encoder = FLAC__stream_encoder_new();
  FLAC__stream_encoder_set_streamable_subset(encoder, false);
  FLAC__stream_encoder_set_channels(encoder, (uint32_t)channels);
  FLAC__stream_encoder_set_bits_per_sample(encoder, (uint32_t)bits);
  FLAC__stream_encoder_set_sample_rate(encoder, (uint32_t)rate);
  FLAC__stream_encoder_set_compression_level(encoder, 5);
  FLAC__stream_encoder_set_blocksize(encoder, (uint32_t)block);
  if (FLAC__stream_encoder_init_stream(encoder, write_flac, NULL, NULL, NULL, &packets) ==
      FLAC__STREAM_ENCODER_INIT_STATUS_OK) {
    FLAC__stream_encoder_process_interleaved(encoder, samples, (uint32_t)count);
    FLAC__stream_encoder_finish(encoder);
  }
  FLAC__stream_encoder_delete(encoder);
  return packets;
}

// MARK: Vorbis

static void drain_vorbis(vorbis_dsp_state *dsp, vorbis_block *block, encoded *packets) {
  ogg_packet packet;
  while (vorbis_analysis_blockout(dsp, block) == 1) {
    vorbis_analysis(block, NULL);
    vorbis_bitrate_addblock(block);
    while (vorbis_bitrate_flushpacket(dsp, &packet)) append(packets, packet.packet, (size_t)packet.bytes, 0);
  }
}

encoded encode_vorbis(const float *samples, size_t count, int channels, int rate, float quality) {
  encoded packets = {0};
  vorbis_info info;
  vorbis_comment comment;
  vorbis_dsp_state dsp;
  vorbis_block block;
  vorbis_info_init(&info);
  if (vorbis_encode_init_vbr(&info, channels, rate, quality) != 0) return packets;
  vorbis_comment_init(&comment);
  vorbis_analysis_init(&dsp, &info);
  vorbis_block_init(&dsp, &block);
  ogg_packet headers[3];
  vorbis_analysis_headerout(&dsp, &comment, &headers[0], &headers[1], &headers[2]);
  for (int index = 0; index < 3; index++) append(&packets, headers[index].packet, (size_t)headers[index].bytes, 0);
  packets.headers = 3;
  for (size_t done = 0; done < count;) {
    size_t part = count - done < 1024 ? count - done : 1024;
    float **room = vorbis_analysis_buffer(&dsp, 1024);
    for (size_t frame = 0; frame < part; frame++)
      for (int channel = 0; channel < channels; channel++)
        room[channel][frame] = samples[(done + frame) * (size_t)channels + (size_t)channel];
    vorbis_analysis_wrote(&dsp, (int)part);
    done += part;
    drain_vorbis(&dsp, &block, &packets);
  }
  vorbis_analysis_wrote(&dsp, 0);
  drain_vorbis(&dsp, &block, &packets);
  vorbis_block_clear(&block);
  vorbis_dsp_clear(&dsp);
  vorbis_comment_clear(&comment);
  vorbis_info_clear(&info);
  return packets;
}

size_t decode_vorbis(encoded packets, float *samples, size_t capacity, size_t *counts) {
  vorbis_info info;
  vorbis_comment comment;
  vorbis_dsp_state dsp;
  vorbis_block block;
  vorbis_info_init(&info);
  vorbis_comment_init(&comment);
  size_t place = 0, made = 0;
  for (size_t index = 0; index < packets.count; index++) {
    ogg_packet packet = {.packet = packets.bytes + place, .bytes = (long)packets.lengths[index], .b_o_s = index == 0,
                         .granulepos = -1, .packetno = (ogg_int64_t)index};
    place += packets.lengths[index];
    if (index < 3) {
      counts[index] = 0;
      if (vorbis_synthesis_headerin(&info, &comment, &packet) != 0) return 0;
      if (index == 2) vorbis_synthesis_init(&dsp, &info), vorbis_block_init(&dsp, &block);
      continue;
    }
    if (vorbis_synthesis(&block, &packet) == 0) vorbis_synthesis_blockin(&dsp, &block);
    float **pcm;
    size_t count = (size_t)vorbis_synthesis_pcmout(&dsp, &pcm);
    counts[index] = count;
    for (size_t frame = 0; frame < count && made < capacity; frame++, made++)
      for (int channel = 0; channel < info.channels; channel++)
        samples[made * (size_t)info.channels + (size_t)channel] = pcm[channel][frame];
    vorbis_synthesis_read(&dsp, (int)count);
  }
  vorbis_block_clear(&block);
  vorbis_dsp_clear(&dsp);
  vorbis_comment_clear(&comment);
  vorbis_info_clear(&info);
  return made;
}

// MARK: Opus

encoded encode_opus(const float *samples, size_t count, int channels, int bits_per_second, int block, int gain) {
  encoded packets = {0};
  int streams, coupled, error;
  int family = channels > 2;
  unsigned char mapping[8];
  OpusMSEncoder *encoder = opus_multistream_surround_encoder_create(48000, channels, family, &streams, &coupled,
                                                                    mapping, OPUS_APPLICATION_AUDIO, &error);
  if (!encoder) return packets;
  opus_multistream_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
  uint8_t head[29] = "OpusHead\1";
  head[9] = (uint8_t)channels;
  head[10] = 312 & 0xFF, head[11] = 312 >> 8;
  head[12] = 48000 & 0xFF, head[13] = 48000 >> 8;
  head[16] = (uint8_t)(gain & 0xFF), head[17] = (uint8_t)(gain >> 8 & 0xFF);
  head[18] = (uint8_t)family;
  head[19] = (uint8_t)streams, head[20] = (uint8_t)coupled;
  memcpy(head + 21, mapping, (size_t)channels);
  append(&packets, head, family ? 21 + (size_t)channels : 19, 0);
  packets.headers = 1;
  enum { MOST = 65536 };
  uint8_t *room = malloc(MOST);
  for (size_t done = 0; done + (size_t)block <= count; done += (size_t)block) {
    int made = opus_multistream_encode_float(encoder, samples + done * (size_t)channels, block, room, MOST);
    if (made > 0) append(&packets, room, (size_t)made, (size_t)block);
  }
  free(room);
  opus_multistream_encoder_destroy(encoder);
  return packets;
}

size_t decode_opus(encoded packets, float *samples, size_t capacity, size_t *counts) {
  const uint8_t *head = packets.bytes;
  int channels = head[9], error;
  uint8_t stereo[2] = {0, 1};
  OpusMSDecoder *decoder = opus_multistream_decoder_create(
      48000, channels, head[18] ? head[19] : 1, head[18] ? head[20] : channels - 1, head[18] ? head + 21 : stereo,
      &error);
  if (!decoder) return 0;
  opus_multistream_decoder_ctl(decoder, OPUS_SET_GAIN((int16_t)(head[16] | head[17] << 8)));
  size_t place = packets.lengths[0], made = 0;
  counts[0] = 0;
  for (size_t index = 1; index < packets.count && made + 5760 <= capacity; index++) {
    int count = opus_multistream_decode_float(decoder, packets.bytes + place, (int)packets.lengths[index],
                                              samples + made * (size_t)channels, 5760, 0);
    counts[index] = count > 0 ? (size_t)count : 0;
    made += counts[index];
    place += packets.lengths[index];
  }
  opus_multistream_decoder_destroy(decoder);
  return made;
}
