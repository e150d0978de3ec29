#!/bin/sh
# Builds the demo files in this folder: composes the piece, encodes it, and extracts one seamless lap of frames. Needs
# python3, lame and ffmpeg.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The lead (18,432 samples: 16 MP3 frames, 18 AAC frames) is the settling time of both encoders before the lap.
python3 compose.py "$scratch/piece.wav" titles.txt 18432

# Without a bit reservoir, the first frame is independent of earlier frames. A Xing frame is omitted, because a station
# has no length.
lame --quiet -b 128 --cbr --nores -q 0 -t "$scratch/piece.wav" "$scratch/piece.mp3"
ffmpeg -loglevel error -y -i "$scratch/piece.wav" -map_metadata -1 -c:a aac -profile:a aac_low -b:a 96k -f adts \
  "$scratch/piece.aac"

# Skips one frame more than the lead: the encoder's own delay.
python3 lap.py "$scratch/piece.mp3" bakelite-demo.mp3 17 2680
python3 lap.py "$scratch/piece.aac" bakelite-demo.aac 19 3015
