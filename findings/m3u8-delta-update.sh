#!/usr/bin/env bash
# m3u8 6.0.0 (PyPI) gives the segments of a delta update the numbers of other segments.
# Expected: EXT-X-SKIP stands for the segments that the server left out, so the first segment after the tag has the
# number of EXT-X-MEDIA-SEQUENCE plus SKIPPED-SEGMENTS (RFC 8216bis, 4.4.3.2 and 4.4.5.2). That number is also the
# initialization vector of an encrypted segment, if the list has no other (5.2).
# Seen: the library parses EXT-X-SKIP, and numbers the first segment as if there were no such tag. A client that
# compares numbers plays segments twice or not at all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" m3u8==6.0.0
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import m3u8

head = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24.0\n"
head += "#EXT-X-MEDIA-SEQUENCE:100\n"
row = "#EXTINF:4.0,\n%d.mp4\n"
whole = head + "".join(row % number for number in range(100, 110))
update = head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=7\n" + "".join(row % number for number in range(107, 110))
print("m3u8", version("m3u8"))
seen = []
for name, text in (("whole list", whole), ("delta update", update)):
    found = m3u8.loads(text)
    seen.append({segment.uri: segment.media_sequence for segment in found.segments}["107.mp4"])
    print(f"{name}: 107.mp4 has the number {seen[-1]}; parsed tag: {found.data.get('skip')}")
sys.exit(None if seen == [107, 100] else "The behaviour has changed.")
END
