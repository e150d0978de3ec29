#!/usr/bin/env bash
# m3u8 6.0.0 and streamlink 8.6.3 ask for a part of a song's title instead of the segment.
# Expected: a line of an HLS list ends with a line feed, or with a carriage return and a line feed (RFC 8216, 4.1).
# The title of EXTINF is any other UTF-8 text except control characters. U+2028, a line separator that text copied
# from web pages may contain, is none of these.
# Seen: both libraries split lines with str.splitlines(), which also splits at U+2028. The rest of the title becomes
# the segment's address, and the true address is lost without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" m3u8==6.0.0 streamlink==8.6.3 attrs==26.1.0 \
  certifi==2026.10.19.post1 charset-normalizer==3.5.3 idna==3.20 isodate==0.7.2 lxml==6.1.3 outcome==1.3.0.post0 \
  pycountry==26.2.16 pycryptodome==4.4.0 pysocks==1.7.1 requests==2.34.2 sniffio==1.3.1 sortedcontainers==2.4.0 \
  trio==0.35.0 urllib3==2.8.0 trio-websocket==0.12.2 websocket-client==1.9.2 wsproto==1.3.2 h11==0.16.0
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
