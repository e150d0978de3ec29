#!/usr/bin/env bash
# rs-audio-stats 1.4.1 (PyPI) measures a jingle louder by 31 LU, since it plays it in a loop.
# Expected: the loudness is the mean of complete blocks of 400 ms that overlap by 75 %; an incomplete block at the end
# is not used, and a file without a complete block has no loudness (ITU-R BS.1770-5, annex 1; EBU Tech 3341).
# Seen: a short file is repeated to 10 s, with a note about compatibility with FFmpeg. A loud end of 50 ms counts in
# each round, and 0.3 s of tone have a loudness. pyloudnorm 0.2.0 measures the file itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" rs-audio-stats==1.4.1 pyloudnorm==0.2.0 \
  soundfile==0.14.0 cffi==2.1.1 pycparser==3.0 numpy==2.4.6 scipy==1.17.1 typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import sys
from importlib.metadata import version
import numpy, pyloudnorm, rs_audio_stats, soundfile

print("rs-audio-stats", version("rs-audio-stats"), "pyloudnorm", version("pyloudnorm"))


def tone(seconds, level):
    return level * numpy.sin(2 * numpy.pi * 1000 * numpy.arange(round(48000 * seconds)) / 48000)


sounds = {"10 s": tone(10, 0.25), "0.45 s with a loud end": numpy.r_[tone(0.4, 0.0025), tone(0.05, 0.25)],
          "0.3 s": tone(0.3, 0.25)}
seen = []
for name, sound in sounds.items():
    path = f"{sys.argv[1]}/jingle.wav"
    soundfile.write(path, sound, 48000, subtype="FLOAT")
    found = round(rs_audio_stats.analyze_audio_all(path)[1].integrated_loudness)
    right = round(pyloudnorm.Meter(48000).integrated_loudness(sound)) if len(sound) >= 19200 else None
    seen.append((right, found))
    print(f"{name}: expected {right}, seen {found} LUFS", flush=True)
sys.exit(None if seen == [(-15, -15), (-55, -24), (None, -15)] else "The behaviour has changed.")
END
