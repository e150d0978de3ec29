#!/usr/bin/env bash
# listparser 0.20 subscribes to feeds that an OPML list has commented out.
# Expected: isComment="true" comments an outline out, together with all outlines below it (OPML 2.0, isComment).
# Seen: the library does not read the attribute. It returns the feeds, with the commented outline as their category.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" listparser==0.20
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
import listparser

print("listparser", version("listparser"))
text = """<opml version="2.0"><head><title>Podcasts</title></head><body>
<outline type="rss" text="Weekly" xmlUrl="https://example.org/weekly"/>
<outline text="Ended" isComment="true"><outline type="rss" text="Old" xmlUrl="https://example.org/old"/></outline>
<outline type="rss" text="Paused" xmlUrl="https://example.org/paused" isComment="true"/>
</body></opml>"""
seen = [(feed.title, feed.categories) for feed in listparser.parse(text).feeds]
print(seen)
expected = [("Weekly", []), ("Old", [["Ended"]]), ("Paused", [])]
sys.exit(None if seen == expected else "The behaviour has changed.")
END
