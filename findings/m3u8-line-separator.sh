#!/usr/bin/env bash
# m3u8 6.0.0 and streamlink 8.6.3 ask for a part of a song's title instead of the segment.
# Expected: a line of an HLS list ends with a line feed, or with a carriage return and a line feed (RFC 8216, 4.1).
# The title of EXTINF is any other UTF-8 text except control characters. U+2028, the line separator that text copied
# from web pages contains, is none of these.
# Seen: both libraries split lines with str.splitlines(), which also splits at U+2028. The rest of the title becomes
# the segment's address, and the true address is lost without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --target "$folder/packages" m3u8==6.0.0 streamlink==8.6.3
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import m3u8
from streamlink.stream.hls.m3u8 import parse_m3u8

text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,Ann\u2028The news\n1.aac\n#EXTINF:6,Bob\n2.aac\n"
seen = {
    "m3u8": [segment.absolute_uri for segment in m3u8.loads(text, uri="https://example.org/list.m3u8").segments],
    "streamlink": [segment.uri for segment in parse_m3u8(text, "https://example.org/list.m3u8").segments],
}
for name, addresses in seen.items():
    print(f"{name} {version(name)}: {addresses}")
is_unchanged = all("news" in first and second.endswith("/2.aac") for first, second in seen.values())
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
