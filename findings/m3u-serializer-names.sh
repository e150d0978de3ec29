#!/usr/bin/env bash
# m3u-serializer 0.3.3 (PyPI) finds a station only if its name starts with a capital letter from A to Z.
# Expected: after EXTINF stand the length, optional attributes, a comma and any text as the name; attributes may have
# a comma in quotes. Stations are called "1LIVE", "radio eins" and "Ö1".
# Seen: entries with a small letter, a digit or an umlaut are left out, and so are all without attributes: the list
# that other players write. An attribute with a comma hides the entry, too. The reader reports nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" m3u-serializer==0.3.3 requests==2.32.5 urllib3==2.5.0 \
  certifi==2025.8.3 charset-normalizer==3.4.3 idna==3.10
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
from m3u_serializer import M3UDeserializer

entries = [
    '#EXTINF:-1 tvg-id="a",Antenne', '#EXTINF:-1 tvg-id="b",1LIVE', '#EXTINF:-1 tvg-id="c",radio eins',
    '#EXTINF:-1 tvg-id="d",Ö1', "#EXTINF:-1,Bayern 3", '#EXTINF:-1 group-title="Pop, Rock",Energy',
]
text = "#EXTM3U\n" + "".join(f"{entry}\nhttps://example.org/{number}\n" for number, entry in enumerate(entries))
reader = M3UDeserializer()
reader.set(text)
seen = [(record.Name, record.Link) for record in reader]
print("m3u-serializer", version("m3u-serializer"))
for number, entry in enumerate(entries):
    is_found = any(link.endswith(f"/{number}") for _, link in seen)
    print(f"{entry}: expected found, seen {'found' if is_found else 'left out'}")
sys.exit(None if seen == [("Antenne", "https://example.org/0")] else "The behaviour has changed.")
END
