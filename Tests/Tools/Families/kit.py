"""The parts of a member: a server from a few lines, a programme that identifies its own seconds, and one playback."""
import array
import contextlib
import json
import pathlib
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parent
# At the end of the search path: Bench has a module named files too.
sys.path.append(str(FOLDER.parent / "Bench"))
sys.dont_write_bytecode = True

from chords import RATE, place, write_programme  # noqa: E402
from icecast import frames  # noqa: E402

# Seconds of the programme; a chord names at most 129 s.
PROGRAMME = 129
# A window of `place` contains 1024 samples. At most one of five neighbours contains a slot's border.
WINDOW, STEP = 1024, 882
MEMBERS = []


class Member:
    def __init__(self, family, name, expected, call):
        self.family, self.name, self.expected, self.call = family, name, expected, call


def member(family, name, expected):
    """Registers a function as a member of a family. The function gets a `Run`, and calls `want` for each
    expectation."""
    def register(call):
        MEMBERS.append(Member(family, name, expected, call))
        return call
    return register


# Material

class Material:
    """Encoded programmes, made once in the run's folder, before the members start."""

    def __init__(self, folder):
        self.folder = folder

    def make(self):
        write_programme(self.folder / "programme.wav", PROGRAMME)
        self.lame("mp3", "-t", "--cbr", "-b", "64")
        self.lame("vbr.mp3", "-V", "5")
        self.lame("cbr-info.mp3", "--cbr", "-b", "64")
        self.ffmpeg("aac", "-c:a", "aac", "-b:a", "64k", "-f", "adts")
        self.ffmpeg("vorbis.ogg", "-c:a", "libvorbis", "-q:a", "3")
        self.ffmpeg("opus", "-c:a", "libopus", "-b:a", "64k")
        self.ffmpeg("flac", "-c:a", "flac")

    def lame(self, name, *options, start=0, seconds=PROGRAMME, source="programme.wav"):
        """Encodes a part of the programme as MP3 by lame. -> path"""
        path = self.folder / f"programme.{name}"
        if not path.exists():
            part = self.cut(start, seconds, source)
            self.command(path, "lame", "--quiet", *options, part)
        return path

    def ffmpeg(self, name, *options, start=0, seconds=PROGRAMME):
        """Encodes a part of the programme by ffmpeg. -> path"""
        path = self.folder / f"programme.{name}"
        if not path.exists():
            self.command(path, "ffmpeg", "-v", "error", "-nostdin", "-y", "-ss", start, "-t", seconds, "-i",
                         self.folder / "programme.wav", *options)
        return path

    def cut(self, start, seconds, source="programme.wav"):
        path = self.folder / f"cut-{start}-{seconds}.wav"
        if start == 0 and seconds == PROGRAMME:
            return self.folder / source
        if not path.exists():
            self.command(path, "ffmpeg", "-v", "error", "-nostdin", "-y", "-ss", start, "-t", seconds, "-i",
                         self.folder / source, "-c:a", "pcm_s16le")
        return path

    def command(self, path, *words):
        """Runs a command whose last argument is the new file. Members run side by side, so the file appears whole."""
        part = path.with_name(f"part-{threading.get_ident()}-{time.monotonic_ns()}-{path.name}")
        subprocess.run([*map(str, words), str(part)], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part.replace(path)

    def data(self, name):
        return (self.folder / f"programme.{name}").read_bytes()

    def frames(self, name):
        """Returns the frames of an MP3 or ADTS file with their durations."""
        return frames(self.data(name))

    def sound(self, name, begin, end):
        """Returns the frames that start in a part of the programme, joined."""
        return b"".join(frame for frame, _ in span(self.frames(name), begin, end))

    def segments(self, name, seconds):
        """Splits a programme into segments of whole frames. -> list of (bytes, duration)"""
        found, part, length, due = [], [], 0.0, seconds
        total = 0.0
        for frame, duration in self.frames(name):
            part.append(frame)
            length, total = length + duration, total + duration
            if total >= due - 1e-6:
                found.append((b"".join(part), length))
                part, length, due = [], 0.0, due + seconds
        return found


def span(parts, begin, end):
    """Returns the frames that start at `begin` or later, and before `end`."""
    at, found = 0.0, []
    for frame, duration in parts:
        if begin - 1e-6 <= at < end - 1e-6:
            found.append((frame, duration))
        at += duration
    return found


def paced(parts, burst=4.0, speed=1.0):
    """Yields blocks of a live programme: a burst, then real time times `speed`."""
    began, sent, held = time.monotonic(), 0.0, b""
    for frame, duration in parts:
        while sent > burst + (time.monotonic() - began) * speed:
            if held:
                yield held
                held = b""
            time.sleep(0.02)
        held, sent = held + frame, sent + duration
        if len(held) > 8192:
            yield held
            held = b""
    if held:
        yield held


def with_titles(blocks, interval, titles, repeats=False):
    """Inserts ICY metadata. `titles` returns the text for the n-th block of metadata; an unchanged text is sent as an
    empty block unless `repeats`."""
    left, number, last = interval, 0, None
    for block in blocks:
        out = b""
        while block:
            out, block, left = out + block[:left], block[left:], left - min(left, len(block))
            if left == 0:
                text = titles(number)
                text = text if isinstance(text, bytes) else text.encode()
                out += icy_block(b"" if text == last and not repeats else text)
                left, number, last = interval, number + 1, text
        yield out


def icy_block(text):
    text += b"\0" * (-len(text) % 16)
    return bytes([len(text) // 16]) + text


def id3(*parts):
    """Returns an ID3v2.4 tag with frames of (name, bytes)."""
    body = b"".join(name.encode() + syncsafe(len(data)) + b"\0\0" + data for name, data in parts)
    return b"ID3\4\0\0" + syncsafe(len(body)) + body


def syncsafe(number):
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def text_frame(name, text):
    return name, b"\3" + text.encode()


def clock_frame(seconds):
    """Returns the timestamp of packed audio in HLS."""
    return "PRIV", b"com.apple.streaming.transportStreamTimestamp\0" + struct.pack(">Q", int(seconds * 90_000) % (1 << 33))


# Servers

class Request:
    """A request, and the ways to answer it."""

    def __init__(self, connection, text, number):
        lines = text.decode("latin-1").split("\r\n")
        self.connection, self.number, self.time = connection, number, time.monotonic()
        self.method, self.target = (lines[0].split(" ") + ["", ""])[:2]
        self.path, _, self.query = self.target.partition("?")
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()

    def __getitem__(self, name):
        return self.headers.get(name, "")

    def send(self, data):
        self.connection.sendall(data.encode() if isinstance(data, str) else data)

    def head(self, status, *fields):
        """Sends a status line and header fields. `status`: "200 OK", or a whole line."""
        line = status if "/" in status or status.startswith("ICY") else f"HTTP/1.1 {status}"
        self.send("\r\n".join([line, *fields]).encode("latin-1") + b"\r\n\r\n")

    def answer(self, body, kind, *fields, status="200 OK"):
        body = body.encode() if isinstance(body, str) else body
        self.head(status, f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close", *fields)
        if self.method != "HEAD":
            self.send(body)

    def redirect(self, address, *fields, status="302 Found"):
        self.head(status, f"Location: {address}", "Content-Length: 0", "Connection: close", *fields)

    def refuse(self, status="403 Forbidden", body="refused\n"):
        self.answer(body, "text/plain", status=status)

    def span(self, size):
        """Returns the first and the last requested byte; None without a range."""
        if last := re.fullmatch(r"bytes=-(\d+)", self["range"]):
            return max(0, size - int(last[1])), size - 1
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self["range"])
        return (int(found[1]), min(int(found[2] or size - 1), size - 1)) if found else None

    def file(self, body, kind, *fields, ranges=True):
        """Answers with a file, or with its requested part."""
        part = self.span(len(body)) if ranges else None
        if part and part[0] >= len(body):
            return self.answer(b"", kind, f"Content-Range: bytes */{len(body)}", status="416 Range Not Satisfiable")
        accept = ["Accept-Ranges: bytes"] if ranges else []
        if part is None:
            return self.answer(body, kind, *accept, *fields)
        return self.answer(body[part[0]:part[1] + 1], kind, f"Content-Range: bytes {part[0]}-{part[1]}/{len(body)}",
                           *accept, *fields, status="206 Partial Content")

    def stream(self, blocks):
        for block in blocks:
            self.send(block)

    def chunked(self, blocks, ends=True):
        """Sends chunks; the last one only if the answer ends as it should."""
        for block in blocks:
            self.send(f"{len(block):x}\r\n".encode() + block + b"\r\n")
        if ends:
            self.send(b"0\r\n\r\n")

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    @property
    def is_gone(self):
        """Returns true if the listener has closed the connection."""
        try:
            return bool(select.select([self.connection], [], [], 0)[0]) and not self.connection.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):
            return True


class Server:
    """A server on loopback whose handler answers each request in a thread of its own. It ends with its process."""

    def __init__(self, handler):
        self.handler, self.requests, self.began, self.lock = handler, [], time.monotonic(), threading.Lock()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self, path="/", host="127.0.0.1"):
        return f"http://{host}:{self.port}{path}"

    @property
    def seconds(self):
        """Returns the seconds since the server's start."""
        return time.monotonic() - self.began

    def count(self, path):
        return len(self.at(path))

    def at(self, path):
        """Returns the requests for a path, so far."""
        return [request for request in list(self.requests) if request.path == path]

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError, ValueError):
            connection.settimeout(60)
            text = b""
            while b"\r\n\r\n" not in text:
                more = connection.recv(4096)
                if not more:
                    return
                text += more
            with self.lock:
                request = Request(connection, text.split(b"\r\n\r\n")[0], len(self.requests) + 1)
                self.requests.append(request)
            self.handler(request)
            connection.shutdown(socket.SHUT_WR)
            # Unread data would reset the connection and lose the end of the answer.
            while connection.recv(4096):
                pass


class LiveList:
    """A live HLS station: segments in real time, and a list of the newest `listed`."""

    def __init__(self, segments, seconds, name="s{}.aac", listed=6, ahead=None):
        self.segments, self.seconds, self.name, self.listed = segments, seconds, name, listed
        self.began = time.monotonic() - (listed if ahead is None else ahead) * seconds

    @property
    def end(self):
        """Returns the number of finished segments."""
        return min(len(self.segments), int((time.monotonic() - self.began) / self.seconds))

    def text(self, base="", title="", tags=""):
        first = max(0, self.end - self.listed)
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", f"#EXT-X-TARGETDURATION:{round(self.seconds + 0.49)}",
                 f"#EXT-X-MEDIA-SEQUENCE:{first}"] + ([tags] if tags else [])
        for number in range(first, self.end):
            text = title(number) if callable(title) else title
            lines += [f"#EXTINF:{self.segments[number][1]:.3f},{text}", base + self.name.format(number)]
        return "\n".join(lines) + "\n"

    def packet(self, path, *tags):
        """Returns packed audio for the address of a segment, with the tag that its timestamp needs."""
        number = int(re.search(r"(\d+)\.\w+$", path)[1])
        begin = sum(duration for _, duration in self.segments[:number])
        return id3(clock_frame(begin), *tags) + self.segments[number][0]


HLS = "application/vnd.apple.mpegurl"


def master(*addresses):
    lines = ["#EXTM3U"]
    for index, address in enumerate(addresses):
        lines += [f'#EXT-X-STREAM-INF:BANDWIDTH={128_000 - 1000 * index},CODECS="mp4a.40.2"', address]
    return "\n".join(lines) + "\n"


# Playback

class Piece:
    """An uninterrupted part of the programme in the recording."""

    def __init__(self, at, second):
        self.at, self.until = at, at
        self.low, self.high = second - at, second - at + 0.1

    def takes(self, at, second):
        """Extends the piece by an observation if it fits."""
        low, high = max(self.low, second - at), min(self.high, second - at + 0.1)
        if low > high + 0.03:
            return False
        self.low, self.high, self.until = min(low, high), max(low, high), at
        return True

    @property
    def begin(self):
        return self.at + (self.low + self.high) / 2

    @property
    def end(self):
        return self.until + (self.low + self.high) / 2 + WINDOW / RATE

    def __repr__(self):
        return f"{self.begin:.1f}–{self.end:.1f}"


class Heard:
    """A playback: its audio as pieces of the programme, its events, messages and exit code."""

    def __init__(self, wav, events, messages, code, wall):
        self.events, self.messages, self.code, self.wall = events, messages, code, wall
        sound = array.array("h", wav[44:len(wav) // 2 * 2])
        self.seconds = len(sound) / RATE
        self.pieces, self.silence = [], []
        self.listen(sound)

    def listen(self, sound):
        quiet_since = None
        for first in range(0, len(sound) - WINDOW, STEP):
            samples, at = sound[first:first + WINDOW], first / RATE
            is_quiet = max(map(abs, samples[:STEP])) < 300
            if is_quiet and quiet_since is None:
                quiet_since = at
            if not is_quiet and quiet_since is not None:
                self.silence.append((quiet_since, at))
                quiet_since = None
            second = None if is_quiet else place(samples)
            if second is None:
                continue
            if not self.pieces or not self.pieces[-1].takes(at, second):
                self.pieces.append(Piece(at, second))
        if quiet_since is not None:
            self.silence.append((quiet_since, self.seconds))
        # A window at a border can name a wrong chord once.
        self.pieces = self.joined([piece for piece in self.pieces if piece.until - piece.at > 0.05])

    @staticmethod
    def joined(pieces):
        """Joins neighbours that continue each other."""
        found = []
        for piece in pieces:
            last = found[-1] if found else None
            if last and abs((last.low + last.high) - (piece.low + piece.high)) < 0.05:
                last.until = piece.until
            else:
                found.append(piece)
        return found

    @property
    def total(self):
        """Returns the audible seconds of the programme."""
        return sum(piece.end - piece.begin for piece in self.pieces)

    @property
    def gaps(self):
        """Returns the lengths of silences of 60 ms or more, between the first and the last piece."""
        if not self.pieces:
            return []
        first, last = self.pieces[0].at, self.pieces[-1].until
        return [end - begin for begin, end in self.silence if end - begin >= 0.06 and begin > first and end < last]

    @property
    def jumps(self):
        """Returns the programme's seconds that are missing (positive) or repeated (negative) at each join."""
        return [round(b.begin - a.end, 2) for a, b in zip(self.pieces, self.pieces[1:])]

    @property
    def is_whole(self):
        """Returns true if one uninterrupted part of the programme was heard, without silence in between."""
        return len(self.pieces) == 1 and not self.gaps

    def names(self, event):
        return [entry for entry in self.events if entry["event"] == event]

    def count(self, event):
        return len(self.names(event))

    @property
    def titles(self):
        return [entry.get("title") for entry in self.names("metadataChanged")]

    @property
    def summary(self):
        return (self.names("summary") or [{}])[-1]

    @property
    def last_message(self):
        lines = [line for line in re.split(r"[\r\n]+", self.messages) if line.strip()]
        return lines[-1] if lines else ""

    def __str__(self):
        pieces = ", ".join(map(str, self.pieces)) or "nothing"
        gaps = f", silent {'+'.join(f'{gap:.2f}' for gap in self.gaps)} s" if self.gaps else ""
        titles = f", {self.titles}" if self.titles else ""
        return f"{pieces}{gaps}{titles}, exit {self.code}"


class Run:
    """The measurement of one member."""

    def __init__(self, binary, folder, material, shown=False):
        self.binary, self.folder, self.material, self.shown = binary, folder, material, shown
        self.faults, self.heard, self.servers, self.notes, self.plays = [], [], [], [], 0

    def serve(self, handler):
        server = Server(handler)
        self.servers.append(server)
        return server

    def want(self, holds, fault):
        """Records a fault unless the expectation holds."""
        if not holds:
            self.faults.append(fault)

    def note(self, text):
        self.notes.append(str(text))

    def play(self, *addresses, seconds=10, options=(), limit=None, free=False):
        """Plays at real time, or as fast as possible. -> Heard"""
        self.plays += 1
        wav, log = self.folder / f"heard-{self.plays}.wav", self.folder / f"events-{self.plays}.jsonl"
        home = {name: str(self.folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
        command = [self.binary, "play", "--output", f"wav:{wav}", "--format", "s16le/44100/1", "--pace",
                   "free" if free else "clock", "--events", log, "--duration", seconds, *options, *addresses]
        began = time.monotonic()
        process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **home})
        try:
            _, messages = process.communicate(timeout=limit or seconds + 20)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                _, messages = process.communicate(timeout=8)
            except subprocess.TimeoutExpired:
                process.kill()
                _, messages = process.communicate()
            code = "too late"
        wall = time.monotonic() - began
        events = [json.loads(line) for line in log.read_text(errors="replace").splitlines()] if log.exists() else []
        heard = Heard(wav.read_bytes() if wav.exists() else b"", events, messages.decode(errors="replace"), code, wall)
        self.heard.append(heard)
        wav.unlink(missing_ok=True)
        if self.shown:
            self.show(heard)
        return heard

    def show(self, heard):
        print(f"  heard {heard} in {heard.wall:.1f} s, {heard.seconds:.2f} s of sound, joins {heard.jumps}")
        print("  messages:", heard.messages.replace("\r", "\n").strip()[-2000:])
        for event in heard.events:
            print("  ", json.dumps(event, ensure_ascii=False))
        for server in self.servers:
            for request in server.requests:
                print(f"  {request.time - server.began:6.2f} {request.method} {request.target} {request.headers}")

    def want_sound(self, heard, seconds, slack=0.3):
        """Wants one uninterrupted part of the programme with this length, and exit code 0."""
        self.want(heard.is_whole, f"heard {heard}, joins {heard.jumps}")
        self.want(abs(heard.total - seconds) <= slack, f"{heard.total:.1f} s instead of {seconds:.1f} s")
        self.want(heard.code == 0, f"exit code {heard.code}: {heard.last_message[:200]}")

    def want_refusal(self, heard, *words, code=1):
        """Wants an exit code, and one sentence with all of these words."""
        self.want(heard.code == code, f"exit code {heard.code} instead of {code}")
        for word in words:
            self.want(word.lower() in heard.messages.lower(), f"no {word!r} in {heard.last_message[:200]!r}")
        self.want(heard.total < 0.2, f"heard {heard}")

    @property
    def request_count(self):
        return sum(len(server.requests) for server in self.servers)

    def __str__(self):
        return "; ".join([*map(str, self.heard), *self.notes, f"{self.request_count} requests"])


def has_programs():
    """Returns the missing programs."""
    return [name for name in ("ffmpeg", "lame") if not shutil.which(name)]
