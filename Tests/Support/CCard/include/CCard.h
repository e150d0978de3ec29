/// A simulated sound card made from a clock and a folder, for tests. It replaces functions of libasound.
///
/// A program plays to it through the ALSA device "bench:FOLDER". Files in the folder:
/// - pcm: the played audio, without frames that were still unplayed at a disconnection.
/// - open: exists while a program uses the card. Any program or test may create it; the card is then busy.
/// - state: "gone" (unplugged, reports nothing more), "broken" (writes fail, but the position is still reported) or
///   "hung" (writes block).
/// - rates: the supported rates, a line for each sample format ("S16_LE 44100 48000").
/// - drains: a line for each drain: frames in pcm, frames written since the preparation, period, and silent frames that
///   fill the last period.
/// - mixer: if it exists, the name of the mixer's control and its range in dB ("Digital -60 0").
/// - volumes: the settings of the mixer in hundredths of a dB.
///
/// As with a real card, playback starts at the start threshold. A test's executable links this target; a program loads
/// it by LD_PRELOAD.
#pragma once

#include <stdbool.h>

struct _snd_pcm;
/// Returns true if the device is a simulated card. `result` is then the return value for snd_pcm_writei.
bool card_takes(struct _snd_pcm *pcm, const void *frames, unsigned long count, long *result);
