#!/usr/bin/env bash
# FFmpeg 9.0.2 (PyPI imageio-ffmpeg 0.8.1) loses a segment after EXT-X-DISCONTINUITY in HLS with fragmented MP4.
# Expected: the tag allows the timestamps to start again (RFC 8216, 4.3.2.3), as they do at each advertisement that a
# station inserts. A list of 24 s, made from two runs of 12 s in segments of 4 s, plays for 24 s. The same list with
# MPEG-TS segments does.
# Seen: the first segment of the second run has the decode time of a fragment that FFmpeg has seen (tfdt 0), and is
# dropped without an error: 20 s are heard, with exit code 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" imageio-ffmpeg==0.8.1
ffmpeg=$(find "$folder/packages" -name 'ffmpeg-*' -type f)
"$ffmpeg" -version | sed -n 1p
cd "$folder"

# make NAME FREQUENCY OPTION…: a list of three segments with one tone.
make() {
  "$ffmpeg" -v error -f lavfi -i "sine=$2:duration=12:sample_rate=44100" -c:a aac -hls_time 4 \
    -hls_playlist_type vod "${@:3}" "$1.m3u8"
}

# seconds TYPE: joins both lists, and prints the seconds at each tone.
seconds() {
  { grep -v ENDLIST "low.m3u8"; echo '#EXT-X-DISCONTINUITY'; sed '1,/PLAYLIST-TYPE/d' high.m3u8; } > "$1.m3u8"
  "$ffmpeg" -v error -i "$1.m3u8" -f s16le -ac 1 - | python3 -c '
import array, sys
heard = array.array("h", sys.stdin.buffer.read())
tones = []
for start in range(0, len(heard) - 44099, 44100):
    second = heard[start:start + 44100]
    tones.append(sum(a < 0 <= b for a, b in zip(second, second[1:])))
low = sum(tone < 700 for tone in tones)
print(f"{low} s of 500 Hz, {len(tones) - low} s of 900 Hz")'
}

make low 500
make high 900
transport=$(seconds transport)
make low 500 -hls_segment_type fmp4 -hls_fmp4_init_filename low.mp4 -hls_segment_filename 'low%d.m4s'
make high 900 -hls_segment_type fmp4 -hls_fmp4_init_filename high.mp4 -hls_segment_filename 'high%d.m4s'
fragments=$(seconds fragments)
echo "MPEG-TS: $transport"
echo "Fragmented MP4: $fragments"
[ "$transport" = '12 s of 500 Hz, 12 s of 900 Hz' ]
[ "$fragments" = '12 s of 500 Hz, 8 s of 900 Hz' ]
