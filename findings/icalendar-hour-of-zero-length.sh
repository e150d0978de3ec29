#!/usr/bin/env bash
# icalendar 7.3.2 (PyPI) ends a programme of one hour at the moment when it starts.
# Expected: hours, minutes and seconds of a duration are exact, also if the clock changes meanwhile; only days and
# weeks are nominal (RFC 5545, 3.3.6). A local time in the hour that the clock skips has the offset before the change
# (3.3.5). So 2:30 plus PT1H in Berlin on 29 March 2026 is 1:30 to 2:30 UTC.
# Seen: the end is computed on the clock's face: 3:30 of summer time, which is 1:30 UTC, too. In October the same hour
# lasts two hours, and PT24H lasts 23 hours in the night of the change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" icalendar==7.3.2 tzdata==2026.6 \
  python-dateutil==2.9.0.post0 six==1.17.0 typing_extensions==4.16.0
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import icalendar

print("icalendar", version("icalendar"))
seen = []
for start, duration in (
    ("20260328T023000", "PT1H"), ("20260329T023000", "PT1H"), ("20261025T023000", "PT1H"), ("20260328T120000", "PT24H"),
):
    text = f"BEGIN:VEVENT\nUID:1\nDTSTAMP:20260101T000000Z\nDTSTART;TZID=Europe/Berlin:{start}\n"
    event = icalendar.Event.from_ical((text + f"DURATION:{duration}\nEND:VEVENT\n").replace("\n", "\r\n"))
    seen.append((event.end.timestamp() - event.start.timestamp()) / 3600)
    print(f"{start} {duration}: {event.start} to {event.end}, {seen[-1]:g} h")
sys.exit(None if seen == [1, 0, 2, 23] else "The behaviour has changed.")
END
