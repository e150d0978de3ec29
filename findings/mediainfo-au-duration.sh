#!/usr/bin/env bash
# pymediainfo 7.0.1 (MediaInfo 24.12) multiplies the duration of an AU file by its bytes per frame.
# Expected: the header has the data size, the encoding, the sample rate and the number of channels (Sun, audio file
# header). The duration is the data size divided by channels, bytes per sample and rate.
# Seen: MediaInfo divides the data size by the rate alone. One second of 16-bit stereo is four seconds, at a quarter of
# its bit rate; one of 24-bit stereo is six. Only 8-bit mono is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" pymediainfo==7.0.1
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import struct, sys
from importlib.metadata import version
import pymediainfo

library = pymediainfo.MediaInfo._get_library()[2]
print(f"pymediainfo {version('pymediainfo')}, MediaInfo {library}")
seen = []
for encoding, width, channels in ((1, 1, 1), (3, 2, 1), (3, 2, 2), (4, 3, 2)):
    data = bytes(44100 * width * channels)
    path = f"{sys.argv[1]}/{width}-{channels}.au"
    open(path, "wb").write(b".snd" + struct.pack(">IIIII", 24, len(data), encoding, 44100, channels) + data)
    audio = pymediainfo.MediaInfo.parse(path).audio_tracks[0]
    seen.append(audio.duration)
    print(f"1 s of {8 * width} bits, {channels} channels: {audio.duration} ms, {audio.bit_rate} bit/s")
sys.exit(None if seen == [1000, 2000, 4000, 6000] else "The behaviour has changed.")
END
