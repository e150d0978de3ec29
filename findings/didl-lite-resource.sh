#!/usr/bin/env bash
# python-didl-lite 1.5.2 drops each attribute of a resource but one when it writes a track.
# Expected: <res> has the attributes duration, bitrate, sampleFrequency, nrAudioChannels and size besides protocolInfo
# (UPnP ContentDirectory 4, appendix B.2.1). The library's Resource has all of these as parameters and properties.
# Seen: to_xml_string writes protocolInfo only. A renderer that receives the result in SetAVTransportURI shows no
# length and cannot seek by time, although the track that was read has both. No error is raised.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" python-didl-lite==1.5.2 defusedxml==0.7.1
PYTHONPATH=$folder/packages python3 - <<'END'
import re, sys
from importlib.metadata import version
from didl_lite import didl_lite

print("python-didl-lite", version("python-didl-lite"))
text = """<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/"
xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1"><dc:title>News</dc:title>
<upnp:class>object.item.audioItem.musicTrack</upnp:class><res protocolInfo="http-get:*:audio/mpeg:*" size="960000"
duration="0:01:00.000" bitrate="16000" sampleFrequency="44100" nrAudioChannels="2">https://example.org/1.mp3</res>
</item></DIDL-Lite>"""
track = didl_lite.from_xml_string(text)[0]
resource = track.res[0]
print("read:", resource.protocol_info, resource.duration, resource.bitrate, resource.size)
element = re.search(r"<res[^>]*>", didl_lite.to_xml_string(track).decode())[0]
print("written:", element)
is_unchanged = (resource.duration, resource.bitrate) == ("0:01:00.000", "16000")
is_unchanged &= element == '<res protocolInfo="http-get:*:audio/mpeg:*">'
sys.exit(None if is_unchanged else "The behaviour has changed.")
END
