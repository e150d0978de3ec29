#!/bin/sh
# Creates the audio fixtures in this folder. Needs python3, lame, ffmpeg and fdkaac. Other versions of the encoders
# produce other bytes, which the tests accept: the tests compare decoders, not files.
set -eu
cd "$(dirname "$0")"
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
python3 material.py "$raw"

mp3() { # name, material, options
  name=$1 material=$2
  shift 2
  lame --quiet -t "$@" "$raw/$material.wav" "$name.mp3"
}
aac() {
  name=$1 material=$2
  shift 2
  fdkaac -S -f 2 "$@" -o "$name.aac" "$raw/$material.wav"
}

mp3 cbr-44100 44100-2 --cbr -b 128
mp3 vbr-44100 44100-2 -V 5
mp3 mono-44100 44100-1 --cbr -b 64
mp3 crc-48000 48000-2 --resample 48 --cbr -b 112 -p
mp3 free-44100 48000-2 --resample 44.1 --freeformat -b 150
mp3 cbr-22050 22050-2 --cbr -b 48
mp3 cbr-8000 8000-1 --cbr -b 16
ffmpeg -v error -y -i "$raw/44100-2.wav" -t 1.5 -c:a mp2 -b:a 192k layer2-44100.mp2
cp "$raw/layer1.mp1" layer1-44100.mp1
cp "$raw/layer1-crc.mp1" layer1-crc-44100.mp1

aac lc-44100 44100-2 -p 2 -b 96000
aac lc-crc-48000 48000-2 -p 2 -b 80000 -C
aac lc-mono-44100 44100-1 -p 2 -b 48000
aac lc-22050 22050-2 -p 2 -b 32000
aac lc-16000 16000-2 -p 2 -b 32000
aac lc-mono-16000 16000-1 -p 2 -b 24000
aac he-16000 16000-2 -p 5 -b 16000
aac he-44100 44100-2 -p 5 -b 48000
aac he2-44100 44100-2 -p 29 -b 28000
aac he-mono-44100 44100-1 -p 5 -b 24000
# Noise substitution is off: after a gap, its noise would differ.
ffmpeg -v error -y -i "$raw/44100-2.wav" -c:a aac -aac_pns 0 -b:a 112k plain-44100.aac

# 54 s of audio without equal packets, so that the position of each piece is unique.
ffmpeg -v error -y -i ../../../config/demo/bakelite-demo.mp3 -t 54 "$raw/long.wav"
mp3 long-cbr-22050 long --cbr -b 32 -m m --resample 22.05
mp3 long-vbr-22050 long -V 7 -m m --resample 22.05
aac long-he-44100 long -p 5 -b 24000
aac long-he2-44100 long -p 29 -b 18000
# Digital silence: a few different packets, repeated.
ffmpeg -v error -y -f lavfi -i anullsrc=r=44100:cl=stereo -t 3 "$raw/silence.wav"
mp3 silence-44100 silence --cbr -b 64
aac silence-44100 silence -p 2 -b 48000

# Quiet noise in one file: MP3, MP3 with CRC, AAC-LC, and HE-AAC, one after the other.
lame --quiet -t --cbr -b 128 "$raw/quiet-44100.wav" "$raw/1.mp3"
lame --quiet -t --resample 48 --cbr -b 112 -p "$raw/quiet-48000.wav" "$raw/2.mp3"
ffmpeg -v error -y -i "$raw/quiet-44100.wav" -c:a aac -aac_pns 0 -b:a 96k "$raw/3.aac"
ffmpeg -v error -y -i "$raw/quiet-22050.wav" -c:a aac -aac_pns 0 -b:a 24k "$raw/4.aac"
python3 material.py sbr "$raw/4.aac" > "$raw/5.aac"
cat "$raw/1.mp3" "$raw/2.mp3" "$raw/3.aac" "$raw/5.aac" > quiet-noise.bin

tour() { # channels, layout, order of the WAVE file's channels
  ffmpeg -v error -y -i "$raw/tour-$1.wav" -af "channelmap=$3:$2" -c:a aac -b:a 80k "tour-$2.aac"
}
tour 4 4.0 '0|1|2|3'
tour 6 5.1 '0|1|2|3|4|5'
tour 8 7.1 '0|1|2|3|4|5|6|7'
