#!/usr/bin/env bash
# Icecast 2.4.4 turns a correct UTF-8 title into Latin-1 mixed with XML references.
# Expected: an update with charset=UTF-8 reaches the listeners as UTF-8, or in one other encoding.
# Seen: on an MP3 mount, characters of Latin-1 become one byte each, and all others a decimal reference. "&" is not
# escaped, so a reference and the same text of a title look alike. A later update without an artist keeps the artist of
# an earlier one: "Ann - The news".
# Needs: icecast2 and ffmpeg of Debian 12 (apt-get install icecast2 ffmpeg).
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
chmod 755 "$folder" && mkdir -m 777 "$folder/log"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$folder/icecast.xml" <<END
<icecast><limits><sources>2</sources></limits><hostname>127.0.0.1</hostname>
<authentication><source-password>s</source-password><admin-user>a</admin-user><admin-password>a</admin-password></authentication>
<listen-socket><port>$port</port><bind-address>127.0.0.1</bind-address></listen-socket>
<paths><basedir>$folder</basedir><logdir>$folder/log</logdir><webroot>$folder</webroot><adminroot>$folder</adminroot></paths>
<security><changeowner><user>nobody</user><group>nogroup</group></changeowner></security></icecast>
END
icecast2 -v
icecast2 -c "$folder/icecast.xml" > /dev/null 2>&1 &
sleep 2
ffmpeg -v error -nostdin -re -f lavfi -i sine=440 -c:a libmp3lame -b:a 128k -content_type audio/mpeg -f mp3 \
  "icecast://source:s@127.0.0.1:$port/live.mp3" 2> /dev/null &
sleep 3
python3 - "$port" <<'END'
import base64, socket, sys, time, urllib.parse, urllib.request

port = int(sys.argv[1])
stream = socket.create_connection(("127.0.0.1", port), 20)
stream.sendall(b"GET /live.mp3 HTTP/1.0\r\nIcy-MetaData: 1\r\n\r\n")
data = stream.makefile("rb")
metaint = 0
while line := data.readline().strip():
    if line.lower().startswith(b"icy-metaint"):
        metaint = int(line.split(b":")[1])

def update(**fields):
    query = urllib.parse.urlencode(dict(fields, mount="/live.mp3", mode="updinfo", charset="UTF-8"))
    login = base64.b64encode(b"a:a").decode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/admin/metadata?{query}", headers={"Authorization": "Basic " + login})
    urllib.request.urlopen(request, timeout=5).read()

def next_title():
    while True:
        data.read(metaint)
        block = data.read(data.read(1)[0] * 16).rstrip(b"\0")
        if block and block != b"StreamTitle='';":
            return block

expected = [b"StreamTitle='&#321;\xf3d&#378; &#8211; &#8364;5';", b"StreamTitle='R&B';", b"StreamTitle='Ann - Song';", b"StreamTitle='Ann - The news';"]
seen = []
for fields in [{"song": "Łódź – €5"}, {"song": "R&B"}, {"artist": "Ann", "title": "Song"}, {"song": "The news"}]:
    update(**fields)
    seen.append(next_title())
    print(fields, seen[-1])
sys.exit(None if seen == expected else "The behaviour has changed.")
END
