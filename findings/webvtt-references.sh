#!/usr/bin/env bash
# webvtt-py 0.6.0 (PyPI) shows "&amp;" in transcripts, and drops words after a "<" from SubRip.
# Expected: in WebVTT, "&amp;" and "&lt;" stand for "&" and "<" (W3C WebVTT, "WebVTT cue text parsing rules"). SubRip
# has no such references, and a "<" there that starts no tag is text. Podcasts offer both forms of a transcript.
# Seen: the property text keeps the references, and the conversion to SubRip writes them. From SubRip, all signs
# between a "<" and the next ">" are lost: "2 < 3 and 4 > 1" becomes "2  1".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" webvtt-py==0.6.0
PYTHONPATH=$folder/packages python3 - <<'END'
import io, sys
from importlib.metadata import version
import webvtt

print("webvtt-py", version("webvtt-py"))
captions = webvtt.from_string("WEBVTT\n\n00:01.000 --> 00:02.000\nR&amp;B is &lt;3\n")
converted = io.StringIO()
captions.write(converted, format="srt")
subtitles = io.StringIO("1\n00:00:01,000 --> 00:00:02,000\n2 < 3 and 4 > 1\n")
seen = [captions[0].text, converted.getvalue().split("\n")[2], webvtt.from_buffer(subtitles, format="srt")[0].text]
for name, right, found in zip(("text", "SubRip", "from SubRip"), ("R&B is <3", "R&B is <3", "2 < 3 and 4 > 1"), seen):
    print(f"{name}: expected {right!r}, seen {found!r}")
sys.exit(None if seen == ["R&amp;B is &lt;3", "R&amp;B is &lt;3", "2  1"] else "The behaviour has changed.")
END
