#!/usr/bin/env bash
# xspf-lib 0.3.4 dates each playlist without a date to the moment of reading.
# Expected: <date> is the creation date of a playlist, and optional; an absent date is unknown (XSPF 1, 4.1.1.2.8).
# Seen: the parser fills in the current time, so that two reads of one file differ, and an unchanged playlist that is
# read and written has a date that it never had.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" xspf-lib==0.3.4
PYTHONPATH=$folder/packages python3 - "$folder" <<'END'
import sys
from importlib.metadata import version
import xspf_lib

print("xspf-lib", version("xspf-lib"))
path = f"{sys.argv[1]}/list.xspf"
open(path, "w").write("""<?xml version="1.0" encoding="UTF-8"?>
<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track>
<location>https://example.org/1.mp3</location></track></trackList></playlist>""")
first, second = xspf_lib.Playlist.parse(path), xspf_lib.Playlist.parse(path)
print("first read:", first.date)
print("second read:", second.date)
is_written = "<date>" in first.xml_string()
print("written with a date:", is_written)
sys.exit(None if is_written and None not in (first.date, second.date) and first.date != second.date
         else "The behaviour has changed.")
END
