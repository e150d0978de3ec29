#!/usr/bin/env bash
# mpegdash 0.4.1 (PyPI) reads each attribute with the value "false" as true.
# Expected: the type of availabilityTimeComplete and bitstreamSwitching is xs:boolean, with the values "true", "false",
# "1" and "0" (ISO/IEC 23009-1, 5.3.9.5; XML Schema, part 2, 3.2.2). "false" announces segments that are available
# before they are complete, the base of low latency.
# Seen: "false" and "0" are True. A manifest that is read and written announces the opposite.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" mpegdash==0.4.1
PYTHONPATH=$folder/packages python3 - <<'END'
import re, sys
from importlib.metadata import version
from mpegdash.parser import MPEGDASHParser

print("mpegdash", version("mpegdash"))
manifest = """<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" minBufferTime="PT2S"
 profiles="urn:mpeg:dash:profile:isoff-live:2011" availabilityStartTime="2026-01-01T00:00:00Z"><Period start="PT0S">
<AdaptationSet mimeType="audio/mp4" bitstreamSwitching="%s"><SegmentTemplate timescale="1" duration="4"
 availabilityTimeOffset="3.5" availabilityTimeComplete="%s" media="$Number$.m4s" initialization="i.mp4"/>
<Representation id="a" bandwidth="64000"/></AdaptationSet></Period></MPD>"""
seen = {}
for value in ("true", "false", "0"):
    found = MPEGDASHParser.parse(manifest % (value, value))
    tracks = found.periods[0].adaptation_sets[0]
    written = re.search('availabilityTimeComplete="(.*?)"', MPEGDASHParser.get_as_doc(found).toxml())[1]
    seen[value] = tracks.bitstream_switching, tracks.segment_templates[0].availability_time_complete, written
    print(f"{value}: bitstreamSwitching {seen[value][0]}, availabilityTimeComplete {seen[value][1]}, written {written}")
sys.exit(None if set(seen.values()) == {(True, True, "true")} else "The behaviour has changed.")
END
