#!/usr/bin/env bash
# chapter-converter 1.2.1 (PyPI) cuts the name of a chapter at an equals sign.
# Expected: in the OGM format a line is CHAPTER01NAME= and the name (its README, "OGM format"; Matroska's "simple
# chapter format"), so a name may have any further signs.
# Seen: "E=mc2 explained" becomes "E", although the same tool wrote the file. A chapter after 24 h gets a time that no
# program reads, "1 day, 1:00:00.000".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" chapter-converter==1.2.1 chardet==5.2.0 \
  pyperclip==1.11.0
cd "$folder"
printf '0:00 Intro\n1:02:03 E=mc2 explained\n25:00:00 End\n' > chapters.txt
for step in "chapters.txt -f ogm -o chapters.ogm" "chapters.ogm -f tab -o back.txt"; do
  # shellcheck disable=SC2086
  PYTHONPATH=$folder/packages python3 -m chapter_converter $step --charset utf-8 -y > log.txt
done
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version

print("chapter-converter", version("chapter-converter"))
print(open("chapters.ogm").read().strip())
seen = open("back.txt").read().split("\n")[:3]
for row in seen:
    print("read again:", row.replace("\t", " | "))
sys.exit(None if seen == ["0:00:00.000\tIntro", "1:02:03.000\tE", "1 day, 1:00:00.000\tEnd"]
         else "The behaviour has changed.")
END
