#!/usr/bin/env bash
# mpd-inspector 1.2.3 (PyPI) leaves a folder out of an address, and lists one segment of five.
# Expected: each BaseURL is relative to the one of the element around it: MPD, Period, AdaptationSet, Representation
# (ISO/IEC 23009-1, 5.6.4). A negative S@r repeats the segment to the end of the period (5.3.9.6.2).
# Seen: a Representation with a BaseURL skips the one of its AdaptationSet, while one without keeps it. r="-1" means no
# repetition. Addresses and segments do not exist, and nothing is reported.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" mpd-inspector==1.2.3 isodate==0.7.2 lxml==6.0.2 \
  threefive3==3.0.45 pyaes==1.6.1
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
from mpd_inspector.inspector import MPDInspector
from mpd_inspector.parser.parser import MPDParser

print("mpd-inspector", version("mpd-inspector"))
manifest = """<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT20S"
 minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-live:2011"><BaseURL>https://example.org/</BaseURL>
<Period id="1" duration="PT20S"><AdaptationSet mimeType="audio/mp4"><BaseURL>audio/</BaseURL>
<SegmentTemplate timescale="1" media="$Time$.m4s" initialization="i.mp4"><SegmentTimeline>
<S t="0" d="4" r="%d"/></SegmentTimeline></SegmentTemplate>
<Representation id="with" bandwidth="64000"><BaseURL>low/</BaseURL></Representation>
<Representation id="without" bandwidth="128000"/></AdaptationSet></Period></MPD>"""
seen = {}
for repetitions in (4, -1):
    inspector = MPDInspector(MPDParser.from_string(manifest % repetitions))
    for representation in inspector.periods[0].adaptation_sets[0].representations:
        segments = list(representation.segment_information.segments)
        seen[representation.id, repetitions] = segments[0].urls[0], len(segments)
right = {"with": "https://example.org/audio/low/0.m4s", "without": "https://example.org/audio/0.m4s"}
for (name, repetitions), found in seen.items():
    print(f"{name} BaseURL, r={repetitions}: expected {right[name]}, 5 segments; seen {found[0]}, {found[1]}")
wrong = "https://example.org/low/0.m4s"
sys.exit(None if seen == {("with", 4): (wrong, 5), ("with", -1): (wrong, 1), ("without", 4): (right["without"], 5),
                          ("without", -1): (right["without"], 1)} else "The behaviour has changed.")
END
