#!/usr/bin/env bash
# feedparser 6.0.14 parses some start times of podcast chapters to None.
# Expected: the start of a <psc:chapter> is a Normal Play Time (Podlove Simple Chapters 1.2, "start"). That is a number
# of seconds with or without a fraction, or hours of any number of digits with minutes and seconds (RFC 2326, 3.6).
# Seen: "start_parsed" is None for seconds alone and for hours of one digit, and a timedelta only for two digits. A
# player that sorts or seeks by "start_parsed" loses these chapters. podcastparser 0.6.11 has all of the times.
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
starts = ["00:00:00", "90", "120.5", "1:00:00", "01:30:00.250"]
chapters = "".join(f'<psc:chapter start="{start}" title="A"/>' for start in starts)
text = f"""<rss version="2.0" xmlns:psc="http://podlove.org/simple-chapters"><channel><title>Weekly</title><item>
<title>Part 1</title><guid>1</guid><enclosure url="https://example.org/1.mp3" type="audio/mpeg" length="1"/>
<psc:chapters version="1.2">{chapters}</psc:chapters></item></channel></rss>""".encode()
found = feedparser.parse(io.BytesIO(text)).entries[0].psc_chapters.chapters
other = podcastparser.parse("https://example.org/feed", io.BytesIO(text))["episodes"][0]["chapters"]
seen = []
for start, chapter, expected in zip(starts, found, other):
    parsed = chapter["start_parsed"]
    seen.append(None if parsed is None else parsed.total_seconds())
    print(f"{start}: feedparser {seen[-1]}, podcastparser {expected['start']}")
sys.exit(None if seen == [0, None, None, None, 5400.25] else "The behaviour has changed.")
END
