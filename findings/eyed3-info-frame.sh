#!/usr/bin/env bash
# eyeD3 0.9.9 reports a quarter of the duration of speech at 16 kbit/s.
# Expected: an MP3 file starts with a frame without sound. Its "Info" tag has the fields of Xing's tag, among them the
# number of frames (LAME, Mp3 Info Tag revision 1). A frame of 16 kbit/s has no room for the tag, so the encoder writes
# this one frame at 64 kbit/s. The duration is frames x 576 / rate in MPEG-2: 10.1 s.
# Seen: eyeD3 ignores the number of frames in an "Info" tag, and divides the file's size by the bit rate of the first
# frame: 2.5 s. At 32 kbit/s it reports half. mutagen 1.48.1 reports 10.1 s.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" imageio-ffmpeg==0.8.1 mutagen==1.48.1 \
  eyeD3==0.9.9 filetype==1.2.0 deprecation==2.1.0 packaging==26.0
ffmpeg=$(find "$folder/packages" -name 'ffmpeg-*' -type f)
for rate in 16 32 64; do
  "$ffmpeg" -v error -f lavfi -i sine=duration=10:sample_rate=24000 -c:a libmp3lame -b:a "${rate}k" "$folder/$rate.mp3"
done
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import sys
from importlib.metadata import version
import eyed3, mutagen

eyed3.log.setLevel("CRITICAL")
print(f"eyeD3 {version('eyeD3')}, mutagen {version('mutagen')}")
seen = []
for rate in (16, 32, 64):
    path = f"{sys.argv[1]}/{rate}.mp3"
    info = eyed3.load(path).info
    seen.append((info.bit_rate[1], round(info.time_secs, 1), round(mutagen.File(path).info.length, 1)))
    print(f"{rate} kbit/s: eyeD3 {seen[-1][0]} kbit/s and {seen[-1][1]} s, mutagen {seen[-1][2]} s")
sys.exit(None if seen == [(64, 2.5, 10.1), (64, 5.0, 10.1), (64, 10.1, 10.1)] else "The behaviour has changed.")
END
