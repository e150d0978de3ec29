"""Material of all codecs, and playbacks that are compared frame by frame: for files.py and segments.py."""
import contextlib
import fcntl
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import time

import kit  # noqa: F401
from links import compose, pages  # noqa: E402

RATE, FRAME = 44_100, 4  # of the programme: stereo, 16 bits
SECONDS = 40  # of the programme


class Material:
    """Files made once by Debian's encoders, in one folder of all members."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)

    def made(self, name, *command):
        """Returns the path of a file. `{out}` in the command is its place; a callable writes it instead."""
        path = self.folder / name
        # Members run side by side, in processes of their own.
        with open(self.folder / f"lock-{name}", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                part = self.folder / f"part-{name}"
                if callable(command[0]):
                    command[0](part)
                else:
                    run = subprocess.run([str(word).replace("{out}", str(part)) for word in command],
                                         stdin=subprocess.DEVNULL, capture_output=True)
                    if run.returncode:
                        raise RuntimeError(f"{command[0]} failed for {name}: {run.stderr[-300:]}")
                os.replace(part, path)
        return path

    def wav(self, number=0, seconds=SECONDS):
        """A programme with another chord in each second, and noise."""
        return self.made(f"{number}-{seconds}.wav", lambda part: compose(part, number, seconds + 1))

    def ffmpeg(self, name, *options, source=None):
        return self.made(name, "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", source or self.wav(), *options, "{out}")

    def aac(self, number=0, seconds=SECONDS):
        return self.ffmpeg(f"{number}-{seconds}.aac", "-c:a", "aac", "-b:a", "96k", "-aac_pns", "0", "-f", "adts",
                           source=self.wav(number, seconds))

    def mp3(self, number=0, seconds=SECONDS, kbit=128, figures=False, *more):
        name = f"{number}-{seconds}-{kbit}-{figures}{''.join(more)}.mp3"
        return self.made(name, "lame", "--quiet", *([] if figures else ["-t"]), *(more or ["--cbr"]), "-b", kbit,
                         self.wav(number, seconds), "{out}")

    def flac(self, number=0, seconds=SECONDS, *more):
        name = f"{number}-{seconds}{''.join(more).replace('/', '')}.flac"
        return self.made(name, "flac", "-s", *more, "-o", "{out}", self.wav(number, seconds))

    def ogg(self, codec, number=0, seconds=SECONDS, *more, source=None):
        wav, words = source or self.wav(number, seconds), "".join(more).replace("/", "")
        name = f"{number}-{seconds}{words}{pathlib.Path(source).stem if source else ''}.{codec}.ogg"
        serial = str(900 + number)
        return self.made(name, *{
            "vorbis": ["oggenc", "-Q", "-q", "3", "-s", serial, *more, "-o", "{out}", wav],
            "opus": ["opusenc", "--quiet", "--bitrate", "96", "--serial", serial, *more, wav, "{out}"],
            "flac": ["flac", "-s", "--ogg", f"--serial-number={serial}", *more, "-o", "{out}", wav]}[codec])


def samples(path):
    """Returns the bytes of the samples of a WAV file, also of an unfinished one."""
    data = pathlib.Path(path).read_bytes() if pathlib.Path(path).exists() else b""
    at = data.find(b"data")
    return data[at + 8:] if at >= 0 else b""


# Comparison

KEY, STEP = 64 * FRAME, 256 * FRAME


def find(key, reference, hint):
    for first in (hint, 0):
        at = reference.find(key, first)
        while at >= 0 and at % FRAME:
            at = reference.find(key, at + 1)
        if at >= 0:
            return at
    return -1


def common(one, a, other, b, most):
    """Returns the number of equal bytes from two places on, in whole frames."""
    size, length = 1 << 16, 0
    while size >= FRAME:
        room = min(size, most - length)
        if room >= FRAME and one[a + length:a + length + room] == other[b + length:b + length + room]:
            length += room
            if room < size:
                break
        else:
            size //= 2
    return length // FRAME * FRAME


def common_before(one, a, other, b, most):
    length = 0
    while length < most and one[a - length - FRAME:a - length] == other[b - length - FRAME:b - length]:
        length += FRAME
    return length


class Heard:
    """The runs of frames that equal frames of a reference."""

    def __init__(self, sound, reference):
        self.count, self.runs, at, hint, end = len(sound) // FRAME, [], 0, 0, 0
        while at + KEY <= len(sound):
            key = sound[at:at + KEY]
            place = find(key, reference, hint) if key.strip(b"\0") else -1
            if place < 0:
                at += STEP
                continue
            length = common(sound, at, reference, place, min(len(sound) - at, len(reference) - place))
            before = common_before(sound, at, reference, place, min(at - end, place))
            self.runs.append((at - before, place - before, length + before))
            at = end = at + length
            hint = place + length
        self.runs = [tuple(value // FRAME for value in run) for run in self.runs]
        self.equal = sum(run[2] for run in self.runs)

    @property
    def steps(self):
        """Frames lost (positive) or repeated (negative) at each border of two runs, without zeros."""
        offsets = [place - at for at, place, _ in self.runs]
        return [b - a for a, b in zip(offsets, offsets[1:]) if a != b]

    @property
    def differing(self):
        """Number of frames between the first and the last run that equal none of the reference."""
        return self.runs[-1][0] + self.runs[-1][2] - self.runs[0][0] - self.equal if self.runs else self.count

    def __str__(self):
        runs = "; ".join(f"{at / RATE:.3f}+{length / RATE:.3f} s = {place / RATE:.3f} s"
                         for at, place, length in self.runs[:8])
        return f"{self.count / RATE:.2f} s heard, runs [{runs}]"


# Playback

class Lab:
    """The playbacks of one member that are compared frame by frame."""

    def __init__(self, run):
        self.run, self.material, self.want, self.note = run, Material(run.folder.parent / "exact"), run.want, run.note

    def environment(self):
        home = str(self.run.folder)
        return dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home, XDG_STATE_HOME=home,
                    LC_ALL="C.UTF-8", TERM="dumb")

    def command(self, *words, seconds=20):
        """Runs a command of the program. -> exit code, standard output, standard error; code None if too late"""
        try:
            run = subprocess.run([str(word) for word in (self.run.binary, *words)], stdin=subprocess.DEVNULL,
                                 capture_output=True, timeout=seconds, env=self.environment())
        except subprocess.TimeoutExpired as late:
            return None, "", (late.stderr or b"").decode(errors="replace")
        return run.returncode, run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace")

    def start(self, *places, options=(), rate=RATE, seconds=None, pace="free"):
        self.run.plays += 1
        return Player(self, places, options, rate, seconds, pace)

    def play(self, *places, options=(), rate=RATE, seconds=None, pace="free", limit=25):
        """Plays to a file until the end. -> Player"""
        player = self.start(*places, options=options, rate=rate, seconds=seconds, pace=pace)
        player.wait(limit)
        if self.run.shown:
            self.show(player)
        return player

    def show(self, player):
        print(f"  {player.seconds:.1f} s, code {player.code}")
        print("  messages:", re.sub(r"\r", "\n", player.told)[-2000:])
        for event in player.events():
            print("  ", json.dumps(event, ensure_ascii=False))
        for server in self.run.servers:
            for request in server.requests:
                print(f"  {request.time - server.began:6.2f} {request.method} {request.target} {request['range']}")

    def reference(self, path, rate=RATE):
        """Returns the samples of an intact file, as the program decodes it alone."""
        def write(part):
            code, _, told = self.command("play", "--output", f"wav:{part}", "--format", f"s16le/{rate}/2", "--pace",
                                         "free", path, seconds=40)
            if code != 0:
                raise RuntimeError(f"{path} does not play: {told[-300:]}")

        return samples(self.material.made(f"{pathlib.Path(path).name}-{rate}.reference", write))

    def want_whole(self, player, reference, seconds, steps=(), differing=0, code=0):
        """Wants at least these seconds of a reference without loss. -> Heard"""
        heard = Heard(player.sound, reference)
        self.note(heard)
        self.want(player.code == code, f"ended with {player.code}: {player.told[-300:]!r}")
        self.want(heard.equal >= (seconds - 0.05) * RATE, f"{heard.equal / RATE:.2f} s are exact, not {seconds}")
        self.want(heard.steps == list(steps), f"lost or repeated frames: {heard.steps}, not {list(steps)}")
        self.want(heard.differing <= differing, f"{heard.differing} frames equal no part of the programme")
        return heard

    def want_silent_refusal(self, player, *words, codes=(1,)):
        """Wants an exit code, a sentence with all words, and no sound."""
        self.note(f"exit {player.code} after {player.seconds:.1f} s: {player.sentence}")
        self.want(player.code in codes, f"exit code {player.code}: {player.told[-200:]!r}")
        self.want(player.sentence.endswith("."), f"no sentence: {player.told[-200:]!r}")
        self.want(all(word.lower() in player.sentence.lower() for word in words), f"{words} not in {player.sentence!r}")
        self.want(not player.sound.strip(b"\0"), f"{len(player.sound) / FRAME / RATE:.2f} s of sound")


class Player:
    """`bakelite play` to a WAV file."""

    def __init__(self, lab, places, options, rate, seconds, pace):
        name, folder = f"exact-{lab.run.plays}", lab.run.folder
        self.wav, self.log, self.errors = (folder / f"{name}.{end}" for end in ("wav", "jsonl", "log"))
        self.began, self.code = time.monotonic(), None
        command = [lab.run.binary, "play", "--drift", "off", "--output", f"wav:{self.wav}", "--format",
                   f"s16le/{rate}/2", "--pace", pace, "--events", self.log,
                   *(["--duration", seconds] if seconds else []), *options, *places]
        with open(self.errors, "wb") as told:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=told, env=lab.environment())

    def wait(self, limit):
        """Waits for the end. A late program is ended, and its code is None."""
        try:
            self.code = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.seconds = time.monotonic() - self.began
        return self.code

    def until(self, test, limit=15):
        """Waits until a condition holds. -> its value"""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            value = test()
            if value:
                return value
            time.sleep(0.02)
        return None

    @property
    def sound(self):
        return samples(self.wav)

    @property
    def told(self):
        return self.errors.read_text(errors="replace").strip()

    @property
    def sentence(self):
        """The error message."""
        lines = [line for line in re.split(r"[\r\n]+", self.told) if line.startswith("bakelite: ")]
        return lines[-1] if lines else ""

    def events(self, name=None):
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return [event for event in found if name in (None, event["event"])]

    @property
    def titles(self):
        return [event.get("title") for event in self.events("metadataChanged")]

    @property
    def summary(self):
        return (self.events("summary") or [{}])[-1]


# Forms

def adts(data):
    """Yields the frames of an ADTS file."""
    at = 0
    while at + 7 <= len(data):
        size = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        yield data[at:at + size]
        at += size


BITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]


def mpeg(data):
    """Yields the frames of an MP3 file (MPEG-1, Layer III)."""
    at = 0
    while at + 4 <= len(data) and data[at] == 0xFF:
        rate = (44_100, 48_000, 32_000)[data[at + 2] >> 2 & 3]
        size = 144_000 * BITS[data[at + 2] >> 4] // rate + (data[at + 2] >> 1 & 1)
        yield data[at:at + size]
        at += size


def cut(frames, count, samples_each, rate=RATE):
    """Cuts packets into segments of `count` packets. -> [(bytes, seconds)]"""
    frames = list(frames)
    groups = [frames[at:at + count] for at in range(0, len(frames), count)]
    return [(b"".join(group), len(group) * samples_each / rate) for group in groups]


def frame23(name, text, flags=b"\0\0"):
    """A frame of ID3v2.3."""
    data = b"\x03" + text.encode() if isinstance(text, str) else text
    return name + struct.pack(">I", len(data)) + flags + data


def id3(version, frames, flags=0):
    size = len(frames)
    return b"ID3" + bytes([version, 0, flags, *(size >> shift & 127 for shift in (21, 14, 7, 0))]) + frames


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


CRC = []
for number in range(256):
    value = number << 24
    for _ in range(8):
        value = (value << 1 ^ 0x04C11DB7 if value & 0x8000_0000 else value << 1) & 0xFFFF_FFFF
    CRC.append(value)


def resum(page, **fields):
    """Returns an Ogg page with other fields (granule, sequence, serial, flags) and its checksum."""
    page = bytearray(page)
    for name, (form, at) in {"flags": ("B", 5), "granule": ("<q", 6), "serial": ("<I", 14),
                             "sequence": ("<I", 18)}.items():
        if name in fields:
            struct.pack_into(form, page, at, fields[name])
    page[22:26] = bytes(4)
    value = 0
    for byte in page:
        value = (value << 8 & 0xFFFF_FFFF) ^ CRC[value >> 24 ^ byte]
    struct.pack_into("<I", page, 22, value)
    return bytes(page)


def ogg(data):
    """Returns the pages of an Ogg file: (page, granule), and the number of pages of headers."""
    found = list(pages(data))
    heads = next(index for index, (_, granule) in enumerate(found) if granule != 0)
    return found, heads
