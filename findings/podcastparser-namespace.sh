#!/usr/bin/env bash
# podcastparser 0.6.11 (PyPI, the parser of gPodder) ignores all tags of Podcasting 2.0 in today's feeds.
# Expected: the tags podcast:transcript, podcast:chapters, podcast:person and podcast:locked are supported, and their
# namespace is https://podcastindex.org/namespace/1.0 (Podcast Namespace, "Element List"). The address of the document
# on GitHub means the same.
# Seen: only the address on GitHub counts. A feed with the namespace proper has no transcript, no chapters, no person
# and no lock, without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" podcastparser==0.6.11
PYTHONPATH=$folder/packages python3 - <<'END'
import io, sys
import podcastparser

print("podcastparser", podcastparser.__version__)
feed = """<rss version="2.0" xmlns:podcast="%s"><channel><title>Show</title><podcast:locked>yes</podcast:locked>
<item><title>One</title><guid>1</guid><enclosure url="https://example.org/1.mp3" length="9" type="audio/mpeg"/>
<podcast:transcript url="https://example.org/1.vtt" type="text/vtt"/>
<podcast:chapters url="https://example.org/1.json" type="application/json+chapters"/>
<podcast:person role="guest">Ann</podcast:person></item></channel></rss>"""
seen = []
for namespace in ("https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
                  "https://podcastindex.org/namespace/1.0"):
    podcast = podcastparser.parse("https://example.org/feed", io.BytesIO((feed % namespace).encode()))
    episode = podcast["episodes"][0]
    seen.append([key for key in ("transcript_url", "chapters_json_url", "persons") if episode.get(key)])
    seen[-1] += ["import_prohibited"] if podcast.get("import_prohibited") else []
    print(f"{namespace}: {', '.join(seen[-1]) or 'nothing'}")
sys.exit(None if [len(found) for found in seen] == [4, 0] else "The behaviour has changed.")
END
