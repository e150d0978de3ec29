#!/usr/bin/env bash
# feedparser-rs 0.7.1 changes "R&B" in the titles of feeds to "R&amp;B".
# Expected: a title is plain text once its XML is decoded (RSS 2.0, <title>; RSS Profile, "Character Data"). The
# project's README calls it a drop-in replacement for feedparser, with the same sanitizer, and feedparser returns "R&B".
# Seen: each & and < in a title is escaped again. The titles "R&B" and "R&amp;B" become equal, so a caller cannot undo
# this. feedparser 6.0.14 keeps them apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" feedparser-rs==0.7.1 feedparser==6.0.14 \
  feedparser-sgmllib==2.1.0
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import feedparser, feedparser_rs

titles = ["R&amp;B Hour", "Q &lt; A", "R&amp;amp;B Hour"]
items = "".join(f"<item><title>{title}</title></item>" for title in titles)
text = f"<rss version='2.0'><channel><title>Radio</title>{items}</channel></rss>".encode()
seen = []
for name, library in (("feedparser", feedparser), ("feedparser-rs", feedparser_rs)):
    seen.append([entry.title for entry in library.parse(text).entries])
    print(f"{name} {version(name)}: {seen[-1]}")
expected = [["R&B Hour", "Q < A", "R&amp;B Hour"], ["R&amp;B Hour", "Q &lt; A", "R&amp;B Hour"]]
sys.exit(None if seen == expected else "The behaviour has changed.")
END
