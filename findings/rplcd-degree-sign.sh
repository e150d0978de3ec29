#!/usr/bin/env bash
# RPLCD 1.4.0 (PyPI) shows a space for the degree sign in its default character table.
# Expected: a temperature is the example in the docstring of write_string. The table A02 of the HD44780 has a small
# circle at 0xB0 and the micro sign at 0xB5, the places of Latin-1 (data sheet, table 4), as it has "±" and "é".
# Seen: the table A02 has neither U+00B0 nor U+00B5; it wants a raised letter "ᴼ" and the Greek "μ" instead. "21 °C"
# becomes "21  C" without an error. The two other tables know the degree sign.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" RPLCD==1.4.0
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
from RPLCD.codecs import A00Codec, A02Codec, ST0BCodec

print("RPLCD", version("RPLCD"))
seen = {}
for name, codec in (("A02, the default", A02Codec()), ("A00", A00Codec()), ("ST0B", ST0BCodec())):
    seen[name] = [codec.encode(sign)[0] for sign in "°µ±é"]
    print(name, {sign: f"{code:02X}" for sign, code in zip("°µ±é", seen[name])})
print("U+1D3C and U+03BC in A02:", bytes(A02Codec().encode("\u1d3c\u03bc")).hex(" "))
is_unchanged = seen["A02, the default"] == [0x20, 0x20, 0xB1, 0xE9] and seen["A00"][0] == 0xDF
sys.exit(None if is_unchanged and A02Codec().encode("\u1d3c\u03bc") == [0xB0, 0xB5] else "The behaviour has changed.")
END
