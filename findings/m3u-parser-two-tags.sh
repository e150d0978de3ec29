#!/usr/bin/env bash
# m3u-parser 0.4.2 (PyPI) drops a station with two tags, and gives another station the wrong stream.
# Expected: an entry of an M3U list is the next line that does not start with "#"; EXTINF names it, and EXTGRP and
# EXTVLCOPT may stand between. An entry without EXTINF has no name.
# Seen: the parser looks for an address in the two lines after EXTINF. Two tags in between push it out of reach. An
# entry with another scheme, rtsp, is passed over, and its name goes to the next entry. The parser reports neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" m3u-parser==0.4.2 pycountry==24.6.1 aiohttp==3.14.5 \
  aiohappyeyeballs==2.7.1 aiosignal==1.4.0 attrs==26.1.0 frozenlist==1.8.0 multidict==6.9.1 propcache==0.5.4 \
  yarl==1.25.1 idna==3.10 requests==2.32.5 urllib3==2.5.0 certifi==2025.8.3 charset-normalizer==3.4.3 \
  typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import logging, sys
from importlib.metadata import version
from m3u_parser import M3uParser

logging.disable()
path = f"{sys.argv[1]}/stations.m3u"
open(path, "w").write("""#EXTM3U
#EXTINF:-1,One tag
#EXTGRP:Pop
https://example.org/one
#EXTINF:-1,Two tags
#EXTGRP:Pop
#EXTVLCOPT:http-user-agent=Radio
https://example.org/two
#EXTINF:-1,Other scheme
rtsp://example.org/three
https://example.org/four
""")
parser = M3uParser()
parser.parse_m3u(path, check_live=False, enforce_schema=False)
seen = {entry["name"]: entry["url"] for entry in parser.get_list()}
print("m3u-parser", version("m3u-parser"))
for name, expected in (("One tag", "https://example.org/one"), ("Two tags", "https://example.org/two"),
                       ("Other scheme", "rtsp://example.org/three, or absent")):
    print(f"{name}: expected {expected}, seen {seen.get(name)}")
sys.exit(None if seen == {"One tag": "https://example.org/one", "Other scheme": "https://example.org/four"}
         else "The behaviour has changed.")
END
