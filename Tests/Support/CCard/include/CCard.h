/// A sound card made of a clock and a folder, for tests: it stands in front of libasound's functions.
///
/// A program that opens the ALSA device "bench:FOLDER" plays to it. What was heard, and nothing else, is in
/// FOLDER/pcm; what the card still had to play when it was cut off is not. While a program has it there is
/// FOLDER/open, which any other, or a test, may make: then the card is busy. Like a real one it begins to play once it
/// was given as much as its start threshold says. FOLDER/state says what else is wrong with it: "gone" (it was
/// unplugged, and tells nothing more), "broken" (writing fails, and it still tells how far it came) or "hung" (a write
/// does not return). FOLDER/rates says which rates it plays, a line for each sample format ("S16_LE 44100 48000").
/// FOLDER/drains has a line for each drain: the frames in pcm, the frames given since the card was prepared, its
/// period, and how many frames of silence fill the last one. It has a mixer where there is FOLDER/mixer, with the name
/// of its control and the range in dB ("Digital -60 0"); FOLDER/volumes has what it was set to, in hundredths of a dB.
///
/// A test's executable links it; a program gets it by LD_PRELOAD.
#pragma once

#include <stdbool.h>

struct _snd_pcm;
/// Whether a device is one of these, and then what snd_pcm_writei gives.
bool card_takes(struct _snd_pcm *pcm, const void *frames, unsigned long count, long *result);
