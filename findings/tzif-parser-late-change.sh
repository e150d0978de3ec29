#!/usr/bin/env bash
# tzif-parser 0.0.16 (PyPI) has no offset for Santiago, Jerusalem, Cairo and Nuuk after the year 2037.
# Expected: the footer of a TZif file is a POSIX TZ string; a rule's time may be 24 there, and -167 to 167 from version
# 3 on (RFC 9636, 3.3; POSIX, Base Definitions, 8.3). Chile changes at 24:00, Greenland at -1:00.
# Seen: the library makes a time of day of each number of hours, so it raises ValueError, "hour must be in 0..23", for
# each moment after the file's last transition. Python's zoneinfo reads the same files.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" tzif-parser==0.0.16 tzdata==2026.6
export PYTHONTZPATH=$folder/packages/tzdata/zoneinfo
PYTHONPATH=$folder/packages python3 - <<'END'
import sys, zoneinfo
from datetime import datetime, timezone
from importlib.metadata import version
from tzif_parser import TimeZoneInfo

print("tzif-parser", version("tzif-parser"), "tzdata", version("tzdata"))
moment = datetime(2040, 6, 1, 12, tzinfo=timezone.utc)
seen = {}
for name in ("Europe/Berlin", "America/Santiago", "Asia/Jerusalem", "Africa/Cairo", "America/Nuuk"):
    zone = TimeZoneInfo.read(name)
    try:
        seen[name] = zone.resolve(moment).utc_offset_secs
    except ValueError as error:
        seen[name] = str(error)
    right = moment.astimezone(zoneinfo.ZoneInfo(name)).utcoffset().total_seconds()
    print(f"{name}: expected {right:g}, seen {seen[name]!r}")
fault = "hour must be in 0..23"
is_unchanged = list(seen.values()) == [7200, fault, fault, fault, fault]
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
