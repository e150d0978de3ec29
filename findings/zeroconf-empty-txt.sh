#!/usr/bin/env bash
# zeroconf 0.154.0 (PyPI) finds a property without a name in a service that has no properties.
# Expected: a service without properties has a TXT record with one zero byte, an empty string without meaning. A string
# that starts with "=" has no name and is ignored, too (RFC 6763, 6.1 and 6.4).
# Seen: the empty string becomes the name b'' without a value, and "=x" the name b'' with a value. A client that asks
# "if info.properties" believes that the service has some.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" zeroconf==0.154.0 ifaddr==0.2.0
PYTHONPATH=$folder/packages python3 - <<'END'
import sys
from importlib.metadata import version
from zeroconf import ServiceInfo

print("zeroconf", version("zeroconf"))
seen = []
for record in (b"\x00", b"\x02=x\x06path=/"):
    info = ServiceInfo("_http._tcp.local.", "Radio._http._tcp.local.", port=80, properties=record, server="a.local.")
    seen.append(info.properties)
    print(record, "->", info.properties)
sys.exit(None if seen == [{b"": None}, {b"": b"x", b"path": b"/"}] else "The behaviour has changed.")
END
