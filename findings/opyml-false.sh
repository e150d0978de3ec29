#!/usr/bin/env bash
# opyml 0.1.2 (PyPI) comments out each podcast with isComment="false".
# Expected: isComment and isBreakpoint are "true" or "false", and an absent one is false; only a commented outline is
# out of use (OPML 2.0, section "Text"; the library's own description of is_comment).
# Seen: isComment="false" is read as True. A breakpoint becomes a comment, too, and is_breakpoint stays None. A list
# that is read and written has both faults in the file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" opyml==0.1.2 defusedxml==0.7.1
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
from opyml import OPML

print("opyml", version("opyml"))
feed = '<outline text="{0}" type="rss" xmlUrl="https://example.org/{0}" {1}/>'
rows = {"plain": "", "not-comment": 'isComment="false"', "comment": 'isComment="true"', "stop": 'isBreakpoint="true"'}
text = '<opml version="2.0"><head/><body>' + "".join(feed.format(*row) for row in rows.items()) + "</body></opml>"
playlist = OPML.from_xml(text)
seen = {outline.text: (outline.is_comment, outline.is_breakpoint) for outline in playlist.body.outlines}
for name, attribute in rows.items():
    print(f"{name}: {attribute or 'no attribute'} -> is_comment {seen[name][0]}, is_breakpoint {seen[name][1]}")
written = playlist.to_xml()
print("written:", written.count('isComment="true"'), "comments,", written.count("isBreakpoint"), "breakpoints")
expected = {"plain": (None, None), "not-comment": (True, None), "comment": (True, None), "stop": (True, None)}
sys.exit(None if seen == expected and written.count('isComment="true"') == 3 else "The behaviour has changed.")
END
