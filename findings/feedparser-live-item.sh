#!/usr/bin/env bash
# feedparser 6.0.14 mixes a live broadcast into the podcast that announces it.
# Expected: <podcast:liveItem> is a child of the channel and contains the elements of an item, for a live broadcast
# (Podcast Namespace, "liveItem"). The link, the description and the enclosure of the channel do not change.
# Seen: the library knows this element only as unknown, and reads its children as children of the channel. The feed
# then has the link, the description and the id of the broadcast, and an enclosure. Only the title stays.
# podcastparser 0.6.11 is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" feedparser==6.0.14 feedparser-sgmllib==2.1.0 \
  podcastparser==0.6.11
PYTHONPATH=$folder/packages python3 - <<'END'
import io, sys
import feedparser, podcastparser

print(f"feedparser {feedparser.__version__}, podcastparser {podcastparser.__version__}")
live = """<podcast:liveItem status="live" start="2026-01-01T20:00:00Z" end="2026-01-01T21:00:00Z">
<title>Tonight</title><link>https://example.org/tonight</link><description>One evening</description>
<guid isPermaLink="false">tonight</guid><enclosure url="https://example.org/live" type="audio/mpeg" length="1"/>
</podcast:liveItem>"""
own = """<title>Weekly</title><link>https://example.org/</link><description>Each week</description>"""
item = """<item><title>Part 1</title><guid isPermaLink="false">1</guid>
<enclosure url="https://example.org/1.mp3" type="audio/mpeg" length="1"/></item>"""
text = f"""<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>{own}{live}{item}</channel></rss>""".encode()
feed = feedparser.parse(io.BytesIO(text)).feed
seen = [feed.title, feed.link, feed.subtitle, feed.id, feed.enclosures[0].href]
other = podcastparser.parse("https://example.org/feed", io.BytesIO(text))
right = [other["title"], other["link"], other["description"]]
print("feedparser:", seen)
print("podcastparser:", right)
is_unchanged = right == ["Weekly", "https://example.org/", "Each week"]
is_unchanged &= seen == [
    "Weekly", "https://example.org/tonight", "One evening", "tonight", "https://example.org/live"]
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
