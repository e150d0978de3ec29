"""Files and live containers: foreign content, tags, lossless formats, joined files, Ogg connections, and `ctl --json`."""
import gzip
import io
import json
import pathlib
import random
import re
import sqlite3
import struct
import tarfile
import time
import zipfile

from exact import (FRAME, RATE, SECONDS, Heard, Lab, chunk, frame23, id3, ogg, resum, samples)
from kit import member

# 19: no audio

FONT = pathlib.Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


def archive(kind):
    """An archive of Python's own library."""
    files, data = sorted(pathlib.Path(json.__file__).parent.glob("*.py")), io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
            for path in files * 8:
                file.write(path)
    else:
        with tarfile.open(fileobj=data, mode=kind) as file:
            for path in files * 8:
                file.add(path)
    return data.getvalue()


def picture(lab, name, *options):
    return lab.material.made(f"picture.{name}", "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                             "testsrc2=s=640x480", "-frames:v", "1", *options, "-f", "image2", "{out}").read_bytes()


def database():
    base = sqlite3.connect(":memory:")
    base.execute("create table station (name text, url text)")
    base.executemany("insert into station values (?, ?)", [(f"Radio {n}", f"http://x.example/{n}") for n in range(9_000)])
    base.commit()
    return base.serialize()


def mp4_of_pictures(lab):
    return lab.material.made("silent.mp4", "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                             "testsrc2=s=320x240:d=5", "-c:v", "mpeg4", "-an", "-f", "mp4", "{out}").read_bytes()


WORDS = ("The radio plays what the station sends. " * 9 + "\n").encode()
CONTENT = {
    "a program": lambda lab: pathlib.Path(lab.run.binary).read_bytes()[:900_000],
    "a shared library": lambda lab: next(pathlib.Path("/usr/lib").glob("*-linux-gnu/libc.so.6")).read_bytes(),
    "a static library": lambda lab: b"!<arch>\n" + b"".join(
        f"{f'member{n}.o/':16}{0:<12}{0:<6}{0:<6}{644:<8}{60_000:<10}`\n".encode() + random.Random(n).randbytes(60_000)
        for n in range(5)),
    "a Windows program": lambda lab: b"MZ" + bytes(58) + b"\x80\0\0\0" + bytes(64) + b"PE\0\0\x64\x86"
    + random.Random(9).randbytes(200_000),
    "a ZIP archive": lambda lab: archive("zip"),
    "a tar archive": lambda lab: archive("w"),
    "a tar.gz archive": lambda lab: archive("w:gz"),
    "a tar.xz archive": lambda lab: archive("w:xz"),
    "a PNG picture": lambda lab: picture(lab, "png", "-c:v", "png"),
    "a JPEG picture": lambda lab: picture(lab, "jpg", "-c:v", "mjpeg"),
    "a GIF picture": lambda lab: picture(lab, "gif", "-c:v", "gif", "-update", "1"),
    "a BMP picture of one colour": lambda lab: b"BM" + struct.pack("<IHHIIiiHHIIiiII", 921_654, 0, 0, 54, 40, 640, 480,
                                                                  1, 24, 0, 921_600, 0, 0, 0, 0) + b"\xff\xfb\x90" * 307_200,
    "a font": lambda lab: FONT.read_bytes() if FONT.exists() else b"\0\1\0\0\0\x10\1\0" + random.Random(5).randbytes(300_000),
    "compressed text": lambda lab: gzip.compress(WORDS * 3_000, 1),
    "text": lambda lab: WORDS * 400,
    "a line of text": lambda lab: b"404 page not found\n",
    "a page": lambda lab: b"<!DOCTYPE html>\n<html><body><p>Radio</p></body></html>\n" * 90,
    "a table": lambda lab: b"name;frequency\n" + b"Radio;98.1\n" * 5_000,
    "JSON": lambda lab: json.dumps([{"name": f"Radio {n}", "codec": "MP3"} for n in range(4_000)]).encode(),
    "a database": lambda lab: database(),
    "random bytes": lambda lab: random.Random(1).randbytes(700_000),
    "zeros": lambda lab: bytes(600_000),
    "one byte": lambda lab: b"\xff",
    "nothing": lambda lab: b"",
    "a PDF": lambda lab: b"%PDF-1.7\n" + random.Random(2).randbytes(300_000) + b"\n%%EOF\n",
    "MP4 with pictures only": mp4_of_pictures,
    "machine code of zeros and ones": lambda lab: b"\0\1" * 200_000,
    "Python's code": lambda lab: pathlib.Path(json.decoder.__cached__).read_bytes()
    if pathlib.Path(json.decoder.__cached__).exists() else b"\xa7\r\r\n" + random.Random(8).randbytes(9_000),
}


def no_audio(run, make):
    lab = Lab(run)
    data = make(lab)
    path = run.folder / "content"
    path.write_bytes(data)
    (run.folder / "content.mp3").write_bytes(data)
    server = run.serve(lambda request: request.file(data, "audio/mpeg" if "live" in request.path
                                                    else "application/octet-stream"))
    for place in (path, run.folder / "content.mp3", server.url("/content"), server.url("/live.mp3")):
        player = lab.play(place, limit=45)
        lab.want_silent_refusal(player)
        code, _, told = lab.command("probe", place, seconds=45)
        lab.want(code == 1, f"probe {place} ended with {code}")
        lab.want(re.search(r"(?m)^bakelite: .*\.$", told.strip()), f"probe {place} has no sentence: {told[-200:]!r}")


for name, make in CONTENT.items():
    member(19, name, "exit 1 and a sentence, by file and HTTP, played and probed")(
        lambda run, make=make: no_audio(run, make))


# 20: noise

def refused_content(run, data, *words, codes=(1,), most=0):
    """Plays content as a file, by HTTP as a file, and as a live station with the type of MP3."""
    lab = Lab(run)
    path = run.folder / "content.bin"
    path.write_bytes(data)

    def answer(request):
        if request.path == "/live":
            request.head("200 OK", "Content-Type: audio/mpeg", "icy-name: Families")
            while True:
                request.send(data)
        return request.file(data, "audio/mpeg")

    server = run.serve(answer)
    for place in (path, server.url("/file.mp3"), server.url("/live")):
        lab.want_silent_refusal(lab.play(place, limit=45), *words, codes=codes)


def agreeing(seed, count, gap):
    """Random bytes with headers of one format at random distances."""
    chance, parts = random.Random(seed), []
    for _ in range(count):
        parts += [b"\xff\xfb\x90\x64", chance.randbytes(chance.randrange(*gap))]
    return b"".join(parts)


def spaced(seed, count, header, size):
    """Random bytes with a header at each third of the right distances."""
    chance = random.Random(seed)
    return b"".join((header if number % 3 == 0 else chance.randbytes(len(header))) + chance.randbytes(size - len(header))
                    for number in range(count))


def encoded(lab, name, *options):
    return lab.material.ffmpeg(name, *options).read_bytes()


NOISE = {
    "random bytes with MP3 headers at random distances": (lambda lab: agreeing(4, 3_000, (40, 700)), []),
    "random bytes with an MP3 header at each third place": (
        lambda lab: spaced(5, 2_000, b"\xff\xfb\x90\x64", 417), []),
    "random bytes with an ADTS header at each third place": (
        lambda lab: spaced(6, 2_000, b"\xff\xf1\x50\x80\x2e\x7f\xfc", 371), []),
    "a font with MP3 headers in its glyphs": (
        lambda lab: b"\0\1\0\0\0\x13\1\0\0\4\0\x30" + agreeing(7, 1_500, (100, 900)), []),
    "AC-3": (lambda lab: encoded(lab, "0.ac3", "-c:a", "ac3"), ["AC-3"]),
    "E-AC-3": (lambda lab: encoded(lab, "0.eac3", "-c:a", "eac3"), ["AC-3"]),
    "DTS": (lambda lab: encoded(lab, "0.dts", "-c:a", "dca", "-strict", "-2"), []),
    "TrueHD": (lambda lab: encoded(lab, "0.thd", "-c:a", "truehd", "-strict", "-2"), []),
    "WMA": (lambda lab: encoded(lab, "0.wma", "-c:a", "wmav2", "-f", "asf"), ["Windows Media"]),
    "Speex in Ogg": (lambda lab: encoded(lab, "0.spx", "-ar", "16000", "-ac", "1", "-c:a", "libspeex", "-f", "ogg"), []),
    "WavPack": (lambda lab: encoded(lab, "0.wv", "-c:a", "wavpack"), []),
    "True Audio": (lambda lab: encoded(lab, "0.tta", "-c:a", "tta"), []),
    "Matroska with Opus": (lambda lab: encoded(lab, "0.mka", "-c:a", "libopus", "-f", "matroska"), ["Matroska"]),
    "aptX": (lambda lab: encoded(lab, "0.aptx", "-c:a", "aptx"), []),
    "raw PCM": (lambda lab: samples(lab.material.wav())[:2_000_000], []),
    "ADPCM in WAV": (lambda lab: encoded(lab, "0-adpcm.wav", "-c:a", "adpcm_ms", "-f", "wav"), []),
    "GSM": (lambda lab: encoded(lab, "0.gsm", "-ar", "8000", "-ac", "1", "-c:a", "libgsm", "-f", "gsm"), []),
    "SBC": (lambda lab: encoded(lab, "0.sbc", "-c:a", "sbc", "-f", "sbc"), []),
    "AMR of random frames": (lambda lab: b"#!AMR\n" + b"".join(
        b"\x3c" + random.Random(n).randbytes(31) for n in range(9_000)), []),
}
for name, (make, words) in NOISE.items():
    member(20, name, " ".join([*words, "no noise, a sentence"]))(
        lambda run, make=make, words=words: refused_content(run, make(Lab(run)), *words))


# 22: tags

def titled(run, data, name, title, kind="audio/wav", seconds=3, reference=None):
    """Plays a file by path and by HTTP; both show the title."""
    lab = Lab(run)
    path = run.folder / name
    path.write_bytes(data)
    server = run.serve(lambda request: request.file(data, kind))
    for place in (path, server.url(f"/{name}")):
        # In real time: the tags at the end arrive during playback.
        player = lab.play(place, pace="clock")
        lab.note(f"{player.titles}")
        lab.want(player.titles == [title], f"titles {player.titles}, not {[title]}")
        lab.want(player.code == 0, f"ended with {player.code}: {player.told[-200:]}")
        if reference:
            lab.want_whole(player, reference, seconds)


def info(**fields):
    """A LIST chunk of RIFF."""
    return chunk(b"LIST", b"INFO" + b"".join(chunk(name.encode(), text if isinstance(text, bytes) else text.encode()
                                                   + b"\0") for name, text in fields.items()))


def wav(lab, after=b"", before=b"", seconds=3):
    sound = samples(lab.material.wav())[:seconds * RATE * FRAME]
    form = struct.pack("<HHIIHH", 1, 2, RATE, RATE * FRAME, FRAME, 16)
    body = b"WAVE" + chunk(b"fmt ", form) + before + chunk(b"data", sound) + after
    return b"RIFF" + struct.pack("<I", len(body)) + body, sound


TAG = id3(3, frame23(b"TIT2", "Morning Song") + frame23(b"TPE1", "The Bench"))
OLD_TAG = id3(2, b"".join(name + len(text).to_bytes(3, "big") + text
                          for name, text in ((b"TT2", b"\0Morning Song"), (b"TP1", b"\0The Bench"))))
SHORT_NAMES = id3(3, frame23(b"TT2\0", "Morning Song") + frame23(b"TP1\0", "The Bench"))
SHORT_SPACES = id3(3, frame23(b"TT2 ", "Morning Song") + frame23(b"TP1 ", "The Bench"))
COVER = frame23(b"APIC", b"\0image/jpeg\0\3\0" + b"\xff\xd8\xff\xe0" + random.Random(4).randbytes(300_000))
SONG = "The Bench - Morning Song"
WAV_TAGS = {
    "LIST/INFO behind the samples": dict(after=info(INAM="Morning Song", IART="The Bench")),
    "LIST/INFO before the samples": dict(before=info(INAM="Morning Song", IART="The Bench")),
    "an id3 chunk behind the samples": dict(after=chunk(b"id3 ", TAG)),
    "an ID3 chunk behind the samples": dict(after=chunk(b"ID3 ", TAG)),
    "an id3 chunk with ID3v2.2": dict(after=chunk(b"id3 ", OLD_TAG)),
    "cue, LIST/adtl, bext and then LIST/INFO": dict(after=chunk(b"cue ", struct.pack("<I", 0)) + chunk(
        b"LIST", b"adtl" + chunk(b"labl", b"\1\0\0\0Mark\0")) + chunk(b"bext", bytes(602)) + info(
            IART="The Bench", ISFT="Lavf59", INAM="Morning Song")),
    "LIST/INFO of an odd length, then id3": dict(after=info(ISFT="odd", ICMT="x") + chunk(b"id3 ", TAG)),
    "a cover of 300 KB in the id3 chunk behind the fields": dict(after=chunk(b"id3 ", id3(3, TAG[10:] + COVER))),
    "a cover of 40 KB in the id3 chunk before the fields": dict(after=chunk(b"id3 ", id3(3, frame23(
        b"APIC", b"\0image/jpeg\0\3\0" + bytes(40_000)) + TAG[10:]))),
    "LIST/INFO, then a cover of 100 KB in the id3 chunk": dict(after=info(INAM="Morning Song", IART="The Bench") + chunk(
        b"id3 ", id3(3, TAG[10:] + COVER[:100_000]))),
}
for name, places in WAV_TAGS.items():
    def call(run, places=places):
        data, sound = wav(Lab(run), **places)
        titled(run, data, "song.wav", SONG, reference=sound)

    member(22, f"WAV: {name}", "the title, 3 s exact")(call)


@member(22, "WAV: LIST/INFO behind the samples, from a server that cannot count from the end", "the title")
def by_offset(run):
    lab = Lab(run)
    data, _ = wav(lab, after=info(INAM="Morning Song", IART="The Bench"), seconds=8)

    def answer(request):
        if request["range"].startswith("bytes=-"):
            return request.answer(b"", "text/plain", f"Content-Range: bytes */{len(data)}",
                                  status="416 Range Not Satisfiable")
        return request.file(data, "audio/wav")

    player = lab.play(run.serve(answer).url("/song.wav"), pace="clock")
    lab.note(player.titles)
    lab.want(player.titles == [SONG], f"titles {player.titles}")


@member(22, "WAV: LIST/INFO in windows-1252", "the title")
def western_info(run):
    data, _ = wav(Lab(run), after=info(INAM="Für Elise".encode("cp1252") + b"\0", IART=b"Bench\0"))
    titled(run, data, "song.wav", "Bench - Für Elise")


MP3_TAGS = {
    "ID3v2.3 with three-letter frames (TT2, zero)": SHORT_NAMES,
    "ID3v2.3 with three-letter frames (TT2, space)": SHORT_SPACES,
    "ID3v2.2": OLD_TAG,
    "ID3v2.4 with a footer": b"ID3\4\0\x10" + TAG[6:10] + TAG[10:] + b"3DI\4\0\x10" + TAG[6:10],
    "ID3v2.3 with padding of 200 KB": id3(3, TAG[10:] + bytes(200_000)),
    "ID3v2.3 in UTF-16": id3(3, frame23(b"TIT2", b"\1" + "Morning Song".encode("utf-16")) + frame23(
        b"TPE1", b"\1" + "The Bench".encode("utf-16"))),
    "ID3v2.3 with a three-letter cover before the fields": id3(3, frame23(b"PIC\0", b"\0JPG\3\0" + bytes(50_000))
                                                              + SHORT_NAMES[10:]),
}
for name, tag in MP3_TAGS.items():
    def call(run, tag=tag):
        titled(run, tag + Lab(run).material.mp3(0, 5).read_bytes(), "song.mp3", SONG, "audio/mpeg")

    member(22, f"MP3: {name}", "the title")(call)


def flac_titled(lab):
    return lab.material.flac(0, 5, "-T", "TITLE=Evening Song", "-T", "ARTIST=The Comments").read_bytes()


for name, tag in {"ID3v2.3": TAG, "ID3v2.3 with a cover of 300 KB": id3(3, COVER + TAG[10:]), "ID3v2.4 with a footer":
                  MP3_TAGS["ID3v2.4 with a footer"], "two tags": TAG + OLD_TAG}.items():
    def call(run, tag=tag):
        lab = Lab(run)
        titled(run, tag + flac_titled(lab), "song.flac", "The Comments - Evening Song", "audio/flac", 5,
               samples(lab.material.wav(0, 5)))

    member(22, f"FLAC behind {name} has its own comments", "the title of the comments, 5 s exact")(call)


@member(22, "FLAC without comments behind ID3v2.3", "the title of the tag")
def bare_flac(run):
    titled(run, TAG + Lab(run).material.flac(0, 5).read_bytes(), "song.flac", SONG, "audio/flac")


# 23: lossless details

def exact_file(run, data, name, reference, seconds, kind="audio/flac", rate=RATE, most=0, **more):
    """Plays a file by path and by HTTP; both have each frame."""
    lab = Lab(run)
    path = run.folder / name
    path.write_bytes(data)
    server = run.serve(lambda request: request.file(data, kind))
    for place in (path, server.url(f"/{name}")):
        player = lab.play(place, rate=rate)
        if more.get("steps", ()) is None:
            lab.want(player.sound == reference, f"differs: {Heard(player.sound, reference)}")
        else:
            lab.want_whole(player, reference, seconds, **more)
        count = len(player.sound) // FRAME
        lab.want(abs(count - len(reference) // FRAME) <= most, f"{count} frames, not {len(reference) // FRAME}")


CRC8, CRC16 = [], []
for number in range(256):
    short, long = number, number << 8
    for _ in range(8):
        short = (short << 1 ^ (7 if short & 0x80 else 0)) & 0xFF
        long = (long << 1 ^ (0x8005 if long & 0x8000 else 0)) & 0xFFFF
    CRC8.append(short)
    CRC16.append(long)


def flac_packets(path):
    """Returns the frames of an Ogg FLAC file, without its headers."""
    found, packet, packets = list(ogg(path.read_bytes())[0]), b"", []
    for page, _ in found:
        count = page[26]
        at = 27 + count
        for size in page[27:27 + count]:
            packet += page[at:at + size]
            at += size
            if size < 255:
                packets.append(packet)
                packet = b""
    return [packet for packet in packets if packet[:1] == b"\xff"]


def numbered(frame, number):
    """Returns a FLAC frame with another number below 128, and its checksums. Its number was below 128 too."""
    code = frame[2] >> 4
    more = (1 if code == 6 else 2 if code == 7 else 0) + {12: 1, 13: 2, 14: 2}.get(frame[2] & 15, 0)
    head = frame[:4] + bytes([number]) + frame[5:5 + more]
    check = 0
    for byte in head:
        check = CRC8[check ^ byte]
    body, sum16 = head + bytes([check]) + frame[6 + more:-2], 0
    for byte in body:
        sum16 = (sum16 << 8 & 0xFFFF) ^ CRC16[sum16 >> 8 ^ byte]
    return body + sum16.to_bytes(2, "big")


def flac_frames(data):
    """Returns the frames of a FLAC file, without its metadata."""
    return data[len(flac_head(data)):]


def flac_head(data):
    at, is_last = 4, False
    while not is_last:
        is_last, size = data[at] >> 7, int.from_bytes(data[at + 1:at + 4], "big")
        at += 4 + size
    return data[:at]


def spliced(lab, first, *others, each=30):
    """One FLAC stream with `each` frames of several Ogg FLAC files; the numbers continue."""
    data, number = flac_head(first.read_bytes()), 0
    for path in others:
        for frame in flac_packets(path)[:each]:
            data, number = data + numbered(frame, number), number + 1
    return data


def raw_wav(lab, name, *options, number=0, seconds=4):
    return lab.material.ffmpeg(name, *options, source=lab.material.wav(number, seconds))


def flac_of(lab, name, path, *options):
    return lab.material.made(name, "flac", "-s", *options, "-o", "{out}", path).read_bytes()


def stereo(mono):
    """Doubles the samples of a mono file."""
    return b"".join(mono[at:at + 2] * 2 for at in range(0, len(mono), 2))


BLOCK, COUNT = 4_096, 30  # samples of a FLAC frame, frames of each part


@member(23, "FLAC: mono, then stereo, then mono frames in one stream", "each frame")
def flac_channels(run):
    lab = Lab(run)
    mono = raw_wav(lab, "mono.wav", "-ac", "1", "-c:a", "pcm_s16le")
    path = lab.material.ogg("flac", 0, 4, source=mono)
    data = spliced(lab, lab.material.flac(1, 4), path, lab.material.ogg("flac", 1, 4), path)
    # The program copies mono to both channels.
    one, two = stereo(samples(mono))[:COUNT * BLOCK * FRAME], samples(lab.material.wav(1, 4))[:COUNT * BLOCK * FRAME]
    # The comparison finds places in one programme, so the first part must not come again.
    exact_file(run, data, "song.flac", one + two + one, 8, steps=None)


@member(23, "FLAC: 16, then 24, then 16 bits in one stream", "each frame")
def flac_depth(run):
    lab = Lab(run)
    deep = raw_wav(lab, "deep.wav", "-c:a", "pcm_s24le", number=1)
    data = spliced(lab, lab.material.flac(0, 4), lab.material.ogg("flac", 0, 4),
                   lab.material.ogg("flac", 1, 4, source=deep), lab.material.ogg("flac", 2, 4))
    parts = [samples(lab.material.wav(number, 4))[:COUNT * BLOCK * FRAME] for number in (0, 1, 2)]
    exact_file(run, data, "song.flac", b"".join(parts), 8)


@member(23, "FLAC: two whole files end to end", "each frame")
def flac_joined(run):
    lab = Lab(run)
    data = lab.material.flac(0, 4).read_bytes() + lab.material.flac(1, 4).read_bytes()
    exact_file(run, data, "song.flac", samples(lab.material.wav(0, 4)) + samples(lab.material.wav(1, 4)), 8)


@member(23, "FLAC: 44.1, then 48, then 44.1 kHz in one stream", "44.1 kHz exact, the length of all")
def flac_rates(run):
    lab = Lab(run)
    other = raw_wav(lab, "48.wav", "-ar", "48000", "-c:a", "pcm_s16le", number=1)
    data = spliced(lab, lab.material.flac(0, 4), lab.material.ogg("flac", 0, 4),
                   lab.material.ogg("flac", 1, 4, source=other), lab.material.ogg("flac", 2, 4))
    path = run.folder / "song.flac"
    path.write_bytes(data)
    player = lab.play(path)
    parts = [samples(lab.material.wav(number, 4))[:COUNT * BLOCK * FRAME] for number in (0, 2)]
    heard = Heard(player.sound, b"".join(parts))
    lab.note(heard)
    frames = sum(map(len, parts)) // FRAME
    lab.want(frames - 3_000 <= heard.equal <= frames, f"{heard.equal} of {frames} frames are exact")
    total = frames + COUNT * BLOCK * 441 // 480
    count = len(player.sound) // FRAME
    lab.want(abs(count - total) <= 3, f"{count} frames, not {total}")


def with_metadata(data, kind, content, stated):
    """Inserts a metadata block with a stated length before the others."""
    head = data[:4 + 4 + 34]
    rest = data[len(head):]
    return head + bytes([kind]) + stated.to_bytes(3, "big") + content + rest


@member(23, "FLAC: a padding whose length is too short by 100", "each frame")
def short_padding(run):
    lab = Lab(run)
    data = with_metadata(lab.material.flac(0, 4).read_bytes(), 1, bytes(1_100), 1_000)
    exact_file(run, data, "song.flac", samples(lab.material.wav(0, 4)), 4)


@member(23, "FLAC: the last block is longer than stated", "each frame")
def long_picture(run):
    lab = Lab(run)
    data = lab.material.flac(0, 4, "--no-padding").read_bytes()
    frames = flac_frames(data)
    head = bytearray(data[:42])
    head[4] &= 0x7F
    picture = bytes([0x86]) + (500).to_bytes(3, "big") + random.Random(3).randbytes(900)
    exact_file(run, bytes(head) + picture + frames, "song.flac", samples(lab.material.wav(0, 4)), 4)


@member(23, "FLAC: a picture that states 300 bytes too many", "each frame after it")
def greedy_picture(run):
    lab = Lab(run)
    data = lab.material.flac(0, 4, "--no-padding").read_bytes()
    frames, head = flac_frames(data), bytearray(data[:42])
    head[4] &= 0x7F
    picture = bytes([0x86]) + (800).to_bytes(3, "big") + bytes(500)
    reference = samples(lab.material.wav(0, 4))
    path = run.folder / "song.flac"
    path.write_bytes(bytes(head) + picture + frames)
    player = lab.play(path)
    lab.want_whole(player, reference, 4)


@member(23, "FLAC: minimum and maximum frame sizes and total of zero", "each frame")
def unknown_sizes(run):
    lab = Lab(run)
    data = bytearray(lab.material.flac(0, 4).read_bytes())
    data[12:18] = bytes(6)
    data[21] &= 0xF0
    data[22:26] = bytes(4)
    data[26:42] = bytes(16)
    exact_file(run, bytes(data), "song.flac", samples(lab.material.wav(0, 4)), 4)


def with_first_packet(data, change):
    """Returns an Ogg file with a changed first packet."""
    found, _ = ogg(data)
    first = bytearray(found[0][0])
    change(first)
    return resum(bytes(first)) + b"".join(page for page, _ in found[1:])


@member(23, "Ogg FLAC with a minimum block of 0", "each frame")
def zero_block(run):
    lab = Lab(run)

    def change(page):
        at = page.index(b"fLaC") + 8
        page[at:at + 2] = bytes(2)

    data = with_first_packet(lab.material.ogg("flac", 0, 4).read_bytes(), change)
    exact_file(run, data, "song.ogg", samples(lab.material.wav(0, 4)), 4, "audio/ogg")


@member(23, "Ogg FLAC with a minimum block above the maximum", "each frame")
def large_block(run):
    lab = Lab(run)

    def change(page):
        at = page.index(b"fLaC") + 8
        page[at:at + 2] = b"\xff\xff"

    data = with_first_packet(lab.material.ogg("flac", 0, 4).read_bytes(), change)
    exact_file(run, data, "song.ogg", samples(lab.material.wav(0, 4)), 4, "audio/ogg")


def opus_reference(lab, number=0, seconds=SECONDS):
    """The samples by opusdec, without its pre-skip."""
    return lab.reference(lab.material.ogg("opus", number, seconds), 48_000)


@member(23, "Opus whose granules begin at 3,840 instead of 0", "each frame of the plain file")
def opus_from_granule(run):
    lab = Lab(run)
    found, heads = ogg(lab.material.ogg("opus", 0, 10).read_bytes())
    shift = 3_840
    data = b"".join(page if index < heads else resum(page, granule=granule + shift)
                    for index, (page, granule) in enumerate(found))
    exact_file(run, data, "song.opus", opus_reference(lab, 0, 10), 10, "audio/ogg", 48_000)


@member(23, "Opus whose granules begin at the pre-skip", "each frame of the plain file")
def opus_from_preskip(run):
    lab = Lab(run)
    found, heads = ogg(lab.material.ogg("opus", 0, 10).read_bytes())
    shift = struct.unpack_from("<H", found[0][0], 28 + 10)[0]
    data = b"".join(page if index < heads else resum(page, granule=granule + shift)
                    for index, (page, granule) in enumerate(found))
    exact_file(run, data, "song.opus", opus_reference(lab, 0, 10), 10, "audio/ogg", 48_000)


@member(23, "MP3 in WAV by ffmpeg", "each frame of the plain MP3")
def mp3_in_wav(run):
    lab = Lab(run)
    data = lab.material.made("mp3-in.wav", "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", lab.material.mp3(0, 10),
                             "-c:a", "copy", "-f", "wav", "{out}").read_bytes()
    exact_file(run, data, "song.wav", lab.reference(lab.material.mp3(0, 10)), 9.9, "audio/wav", most=2_400)


@member(23, "MP3 in WAV with format 0x50, odd chunks and no fact", "each frame of the plain MP3")
def mpeg_in_wav(run):
    lab = Lab(run)
    sound = lab.material.mp3(0, 10).read_bytes()
    form = struct.pack("<HHIIHHHHIHHHI", 0x50, 2, RATE, 16_000, 1, 0, 22, 4, 128_000, 1, 1, 1, 0)[:40]
    body = b"WAVE" + chunk(b"JUNK", bytes(27)) + chunk(b"fmt ", form) + chunk(b"data", sound)
    exact_file(run, b"RIFF" + struct.pack("<I", len(body)) + body, "song.wav",
               lab.reference(lab.material.mp3(0, 10)), 9.9, "audio/wav", most=2_400)


@member(23, "Sony Wave64", "named and refused, or each frame")
def wave64(run):
    lab = Lab(run)
    path = lab.material.ffmpeg("song.w64", "-c:a", "pcm_s16le", "-f", "w64", source=lab.material.wav(0, 4))
    player = lab.play(path)
    if player.code == 0:
        lab.want_whole(player, samples(lab.material.wav(0, 4)), 4)
    else:
        lab.want_silent_refusal(player, "Wave64")


for name, make in {
    "MP3": lambda lab: (lab.material.mp3(0, 5), 4.9), "FLAC": lambda lab: (lab.material.flac(0, 5), 5),
    "AAC": lambda lab: (lab.material.aac(0, 5), 4.9), "Ogg Vorbis": lambda lab: (lab.material.ogg("vorbis", 0, 5), 5),
    "AIFF": lambda lab: (lab.material.ffmpeg("5.aiff", "-c:a", "pcm_s16be", source=lab.material.wav(0, 5)), 5),
}.items():
    def call(run, make=make):
        lab = Lab(run)
        path, seconds = make(lab)
        exact_file(run, path.read_bytes(), "song.wav", lab.reference(path), seconds, "audio/wav")

    member(23, f"{name} named .wav and sent as audio/wav", "each frame")(call)


# 24: ctl --json

def same_shape(run, command, states):
    """Sends a command in states with 0, 1 and several rows; each reply is JSON of one kind."""
    lab = Lab(run)
    path = lab.material.mp3(0, 40)
    server = run.serve(lambda request: request.file(path.read_bytes(), "audio/mpeg"))
    socket = run.folder / "socket"
    player = lab.start(server.url("/0.mp3"), pace="clock", options=("--control", socket), seconds=30)
    player.until(lambda: player.events("playing"))
    kinds = {}
    try:
        for name, orders in states(server).items():
            for order in orders:
                code, _, told = lab.command("ctl", "--socket", socket, *order)
                lab.want(code == 0, f"ctl {' '.join(order)}: {told}")
            code, told, errors = lab.command("ctl", "--socket", socket, "--json", *command)
            if code != 0:
                lab.want(False, f"{name}: {errors}")
                continue
            value = json.loads(told)
            kinds[name] = type(value).__name__
            rows = value if isinstance(value, list) else value.values() if isinstance(value, dict) else [value]
            kinds[name] += f" of {sorted({type(row).__name__ for row in rows})} ({len(rows)})" if isinstance(
                value, list) else ""
            lab.note(f"{name}: {kinds[name]}")
            lab.want(told.count("\n") == 1, f"{name}: {told.count(chr(10))} lines")
    finally:
        player.process.terminate()
        player.wait(10)
    lab.want(len({kind.split(" ")[0] for kind in kinds.values()}) == 1, f"shapes differ: {kinds}")
    return kinds


def queue_states(server):
    return {"1": [], "3": [["add", server.url("/1.mp3")], ["add", server.url("/2.mp3")]],
            "0": [["clear"]]}


for words in (["list"], ["playlistinfo"], ["playlistid"], ["playlist"], ["playlistsearch", "file", "http"],
              ["plchanges", "0"], ["plchangesposid", "0"]):
    member(24, " ".join(words), "one shape for 0, 1 and 3 entries")(
        lambda run, words=words: same_shape(run, words, queue_states))

for words in (["outputs"], ["decoders"], ["commands"], ["notcommands"], ["urlhandlers"], ["tagtypes"], ["stats"],
              ["listplaylists"], ["lsinfo"], ["channels"], ["readmessages"],
              ["listpartitions"], ["currentsong"], ["current"], ["status"]):
    member(24, " ".join(words), "one shape, playing and stopped")(
        lambda run, words=words: same_shape(run, words, lambda server: {"playing": [], "stopped": [["stop"]]}))


def feed(server, count):
    items = "".join(f'<item><title>Part {n}</title><guid>g{n}</guid><pubDate>Mon, 0{n + 1} Jun 2026 08:00:00 GMT</pubDate>'
                    f'<enclosure url="{server.url(f"/{n}.mp3")}" type="audio/mpeg" length="0"/></item>' for n in range(count))
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>P</title>{items}</channel></rss>'


@member(24, "episodes", "one shape for podcasts of 1 and 5 episodes")
def episodes(run):
    lab, shapes = Lab(run), []
    data = lab.material.mp3(0, 40).read_bytes()

    def answer(request):
        if request.path.endswith(".xml"):
            return request.answer(feed(server, int(request.path[1])), "application/rss+xml")
        return request.file(data, "audio/mpeg")

    server = run.serve(answer)
    for count in (1, 5):
        socket = run.folder / f"socket{count}"
        player = lab.start(server.url(f"/{count}.xml"), pace="clock", options=("--control", socket), seconds=30)
        player.until(lambda: player.events("playing"))
        code, told, errors = lab.command("ctl", "--socket", socket, "--json", "episodes")
        player.process.terminate()
        player.wait(10)
        lab.want(code == 0, f"{count}: {errors}")
        shapes.append(json.loads(told or "null"))
    lab.note([f"{type(shape).__name__} of {len(shape)}" for shape in shapes])
    lab.want(all(isinstance(shape, list) for shape in shapes), f"shapes {shapes}")
    lab.want([len(shape) for shape in shapes] == [1, 5], f"rows {[len(shape) for shape in shapes]}")


# 27: Ogg knows its place

def reconnect(run, codec, shift):
    """A station whose connection ends after page n; the next starts at page n + 1 + `shift`."""
    lab = Lab(run)
    found, heads = ogg(lab.material.ogg(codec).read_bytes())
    rate = 48_000 if codec == "opus" else RATE
    # The first connection has 12 s: its end is far from audible.
    middle = next(index for index, (_, granule) in enumerate(found) if granule > 12 * rate)
    begin = middle + shift
    head, connections = b"".join(page for page, _ in found[:heads]), []

    def answer(request):
        request.head("200 OK", "Content-Type: application/ogg", "icy-name: Families")
        connections.append(request)
        if len(connections) == 1:
            return request.send(head + b"".join(page for page, _ in found[heads:middle]))
        began, first = time.monotonic(), found[begin][1]
        request.send(head)
        for page, granule in found[begin:]:
            while (granule - first) / rate > time.monotonic() - began + 5:
                time.sleep(0.05)
            request.send(page)

    server = run.serve(answer)
    player = lab.start(server.url("/live.ogg"), rate=rate, pace="clock", seconds=20)
    player.wait(40)
    if run.shown:
        lab.show(player)
    reference = lab.reference(lab.material.ogg(codec), rate)
    heard = Heard(player.sound, reference)
    lab.note(heard)
    missing = (found[begin - 1][1] - found[middle - 1][1]) / rate if shift > 0 else 0
    stitched = player.events("stitched")
    lab.note(f"stitched {[(event.get('exact'), event.get('lost')) for event in stitched]}")
    lab.want(len(stitched) == 1, f"{len(stitched)} joins")
    if stitched:
        lost = stitched[0].get("lost") or 0
        lab.want(abs(lost - missing) < 0.001 if codec == "flac" else abs(lost - missing) < 0.002 or shift > 0 and
                 abs(lost - missing) < 0.03, f"reported {lost} s, missing {missing:.4f} s")
        lab.want(bool(stitched[0].get("exact")) == (shift <= 0), f"exact: {stitched[0].get('exact')}")
    lab.want(player.code == 0, f"ended with {player.code}: {player.told[-200:]}")
    lab.want(heard.equal >= (19.8 if shift <= 0 else 19) * rate, f"{heard.equal / rate:.2f} s are exact")
    if shift <= 0:
        lab.want(heard.steps == [], f"lost or repeated frames: {heard.steps}")
        lab.want(heard.differing == 0, f"{heard.differing} frames differ")
    else:
        total = sum(heard.steps) / rate
        lab.want(abs(total - missing) < 0.03, f"{total:.4f} s lost, not {missing:.4f} s")


for codec in ("vorbis", "opus", "flac"):
    for shift, name in ((0, "the very next page"), (-1, "the last page again"), (-3, "the last three pages again"),
                        (1, "one page missing"), (2, "two pages missing"), (3, "three pages missing")):
        member(27, f"{codec}: {name}", "exact, lost 0" if shift <= 0 else "the reported loss is the real one")(
            lambda run, codec=codec, shift=shift: reconnect(run, codec, shift))


# 28: joined MP3

def joined(run, parts, tolerance, seconds, rate=RATE):
    """Starts a file of parts at several positions, and compares with the whole file, played from the start. `rate`: of
    the last part. Converted frames depend on the start, so only a part that is not converted can be compared."""
    lab = Lab(run)
    data = b"".join(parts(lab))
    path = lab.material.folder / f"joined-{run.folder.name}.mp3"
    path.write_bytes(data)
    whole = lab.reference(path, rate)
    lab.want(abs(len(whole) / FRAME / rate - seconds) < 1.5, f"the whole file has {len(whole) / FRAME / rate:.1f} s")
    requests = []

    def answer(request):
        requests.append(request)
        request.file(data, "audio/mpeg", 'ETag: "j1"')

    server = run.serve(answer)
    for share in (0.15, 0.4, 0.62, 0.85):
        at, before = round(share * seconds, 1), len(requests)
        player = lab.play(server.url("/joined.mp3"), rate=rate, options=("--start", at))
        heard = Heard(player.sound, whole)
        begin = (heard.runs[0][1] - heard.runs[0][0]) / rate if heard.runs else -1
        asked = requests[before:]
        spans = [request.span(len(data)) or (0, len(data) - 1) for request in asked]
        # A table may be wrong by some tenths of a second: then packets are counted, which is no part of the search.
        small = sum(last - first + 1 for first, last in spans if last - first < 64 * 1024)
        lab.note(f"{at}: {begin:.3f} s, {len(asked)} requests, {small // 1024} KiB")
        lab.want(abs(begin - at) <= tolerance, f"start {at} is at {begin:.3f} s")
        lab.want(len(asked) <= 22, f"start {at}: {len(asked)} requests")
        lab.want(small <= 170 * 1024, f"start {at}: {small} bytes of parts")
        lab.want(not heard.steps, f"start {at}: steps {heard.steps}")


JOINED = {
    "64 and 192 kbit/s, with figures": (
        lambda lab: [lab.material.mp3(0, 40, 64, True).read_bytes(), lab.material.mp3(1, 40, 192, True).read_bytes()],
        0.1, 81),
    "VBR between two of 128 kbit/s, with figures": (
        lambda lab: [lab.material.mp3(0, 20, 128, True).read_bytes(),
                     lab.material.mp3(1, 40, 32, True, "-V", "4").read_bytes(),
                     lab.material.mp3(2, 20, 128, True).read_bytes()], 0.1, 82),
    "three parts with figures and ID3 tags": (
        lambda lab: [TAG + lab.material.mp3(0, 20, 96, True).read_bytes(),
                     id3(3, COVER) + lab.material.mp3(1, 40, 160, True).read_bytes(),
                     OLD_TAG + lab.material.mp3(2, 20, 64, True).read_bytes()], 0.1, 82, 24_000),
    "64 and 192 kbit/s, without figures": (
        lambda lab: [lab.material.mp3(0, 40, 64).read_bytes(), lab.material.mp3(1, 40, 192).read_bytes()], 0.5, 81),
    "192 and 48 kbit/s, without figures, 20 and 40 s": (
        lambda lab: [lab.material.mp3(0, 20, 192).read_bytes(), lab.material.mp3(1, 40, 48).read_bytes()], 0.5, 61),
    "128 kbit/s without figures, then 64 kbit/s with figures": (
        lambda lab: [lab.material.mp3(0, 40, 128).read_bytes(), lab.material.mp3(1, 40, 64, True).read_bytes()],
        0.5, 81, 24_000),
}
for name, (parts, tolerance, *more) in JOINED.items():
    member(28, name, f"starts within {tolerance} s, 20 requests, 160 KiB")(
        lambda run, parts=parts, tolerance=tolerance, more=more: joined(run, parts, tolerance, *more))


# 29: Ogg without its headers

def headless(run, codec, first, *words, is_live=True):
    """A station that sends a listener who joins late no headers."""
    lab = Lab(run)
    found, heads = ogg(lab.material.ogg(codec).read_bytes())
    data = b"".join(page for page, _ in found[first(heads):])

    def answer(request):
        if not is_live:
            return request.file(data, "audio/ogg")
        request.head("200 OK", "Content-Type: application/ogg", "icy-name: Families")
        request.send(data)
        while not request.is_gone:
            time.sleep(0.1)

    server = run.serve(answer)
    player = lab.play(server.url("/live.opus"), pace="clock", limit=60)
    lab.want_silent_refusal(player, *words)


member(29, "live Opus from the middle", "a sentence that names the header")(
    lambda run: headless(run, "opus", lambda heads: heads + 9, "Opus", "header"))
member(29, "live Opus with its comments, but without OpusHead", "a sentence that names the header")(
    lambda run: headless(run, "opus", lambda heads: 1, "Opus", "header"))
member(29, "a file of Opus without OpusHead", "a sentence that names the header")(
    lambda run: headless(run, "opus", lambda heads: 1, "header", is_live=False))
member(29, "live Vorbis from the middle", "a sentence that names the header")(
    lambda run: headless(run, "vorbis", lambda heads: heads + 3, "header"))
member(29, "live Ogg FLAC from the middle", "a sentence that names the header")(
    lambda run: headless(run, "flac", lambda heads: heads + 3, "header"))


@member(29, "live Opus from the middle, the next link with its header after 9 s", "the next link, exact")
def next_link(run):
    lab = Lab(run)
    found, heads = ogg(lab.material.ogg("opus", 1, 4).read_bytes())
    first, second = b"".join(page for page, _ in found[heads + 2:]), lab.material.ogg("opus").read_bytes()

    def answer(request):
        request.head("200 OK", "Content-Type: application/ogg", "icy-name: Families")
        request.send(first + second)
        while not request.is_gone:
            time.sleep(0.1)

    server = run.serve(answer)
    player = lab.play(server.url("/live.opus"), pace="free", rate=48_000, seconds=15, limit=40)
    lab.want_whole(player, lab.reference(lab.material.ogg("opus"), 48_000), 15)


# 30: chains, granules, sizes

def chained(run, links, expected, later=None):
    """Plays a chain as a file and as one live answer; `expected`: seconds, and references that must be exact. `later`:
    the link with which the live answer continues."""
    lab = Lab(run)
    data = b"".join(path.read_bytes() for path in links(lab))
    path = run.folder / "chain.ogg"
    path.write_bytes(data)

    def answer(request):
        request.head("200 OK", "Content-Type: application/ogg", "icy-name: Families")
        request.send(data + (later(lab).read_bytes() if later else b""))
        while not request.is_gone:
            time.sleep(0.1)

    server, seconds = run.serve(answer), expected(lab)[0]
    for player in (lab.play(path), lab.play(server.url("/live"), seconds=seconds, limit=40)):
        count = len(player.sound) // FRAME
        lab.want(player.code == 0, f"ended with {player.code}: {player.told[-200:]}")
        lab.want(abs(count / RATE - seconds) < 0.01, f"{count / RATE:.3f} s, not {seconds:.3f} s")
        for reference, least in expected(lab)[1]:
            heard = Heard(player.sound, reference)
            lab.note(heard)
            lab.want(heard.equal >= least * RATE, f"{heard.equal / RATE:.2f} s are exact, not {least}")
            lab.want(not heard.steps, f"steps {heard.steps}")


def length(lab, *numbers, seconds=4):
    return sum(len(samples(lab.material.wav(number, seconds))) for number in numbers) / FRAME / RATE


@member(30, "Vorbis of 44.1, 48 and 44.1 kHz", "the length of all, 44.1 kHz exact")
def vorbis_rates(run):
    def links(lab):
        other = raw_wav(lab, "48.wav", "-ar", "48000", "-c:a", "pcm_s16le", number=1)
        return [lab.material.ogg("vorbis", 0, 4), lab.material.ogg("vorbis", 1, 4, source=other),
                lab.material.ogg("vorbis", 2, 4)]

    chained(run, links, lambda lab: (length(lab, 0, 1, 2), [
        (lab.reference(lab.material.ogg("vorbis", number, 4)), 3.9) for number in (0, 2)]))


@member(30, "Vorbis, Opus, Vorbis in one answer", "the length of all, Vorbis exact")
def mixed_codecs(run):
    chained(run, lambda lab: [lab.material.ogg("vorbis", 0, 4), lab.material.ogg("opus", 1, 4),
                              lab.material.ogg("vorbis", 2, 4)],
            lambda lab: (length(lab, 0, 1, 2), [
                (lab.reference(lab.material.ogg("vorbis", number, 4)), 3.9) for number in (0, 2)]))


@member(30, "FLAC, Vorbis, FLAC of 22 kHz in one answer", "the length of all, FLAC exact")
def flac_and_vorbis(run):
    def links(lab):
        low = raw_wav(lab, "22.wav", "-ar", "22050", "-c:a", "pcm_s16le", number=2)
        return [lab.material.ogg("flac", 0, 4), lab.material.ogg("vorbis", 1, 4),
                lab.material.ogg("flac", 2, 4, source=low)]

    # The rate converter returns the last 3 ms of a link with the next packets.
    chained(run, links, lambda lab: (length(lab, 0, 1, 2), [(samples(lab.material.wav(0, 4)), 4)]),
            lambda lab: lab.material.ogg("vorbis", 1, 4))


@member(30, "mono Vorbis, then stereo", "the length of all, stereo exact")
def mono_link(run):
    def links(lab):
        mono = raw_wav(lab, "mono1.wav", "-ac", "1", "-c:a", "pcm_s16le", number=1)
        return [lab.material.ogg("vorbis", 1, 4, source=mono), lab.material.ogg("vorbis", 0, 4)]

    chained(run, links, lambda lab: (length(lab, 1, 0), [(lab.reference(lab.material.ogg("vorbis", 0, 4)), 3.9)]))


def late_granules(run, codec, second):
    lab = Lab(run)
    rate = 48_000 if codec == "opus" else RATE
    found, heads = ogg(lab.material.ogg(codec, 0, 10).read_bytes())
    data = b"".join(page if index < heads else resum(page, granule=granule + second * rate)
                    for index, (page, granule) in enumerate(found))
    reference = lab.reference(lab.material.ogg(codec, 0, 10), rate)
    path = run.folder / "late.ogg"
    path.write_bytes(data)

    def answer(request):
        request.head("200 OK", "Content-Type: application/ogg", "icy-name: Families")
        request.send(data)
        while not request.is_gone:
            time.sleep(0.1)

    server = run.serve(answer)
    lab.want_whole(lab.play(path, rate=rate), reference, 9.9)
    lab.want_whole(lab.play(server.url("/live"), rate=rate, seconds=9), reference, 8.9)
    player = lab.play(path, rate=rate, options=("--start", 6))
    heard = Heard(player.sound, reference)
    begin = (heard.runs[0][1] - heard.runs[0][0]) / rate if heard.runs else -1
    lab.note(f"--start 6: {begin:.3f} s")
    lab.want(abs(begin - 6) < 0.01, f"--start 6 begins at {begin:.3f} s")


for codec in ("vorbis", "opus", "flac"):
    member(30, f"{codec} with granules from 200,000 s", "file, live and --start exact")(
        lambda run, codec=codec: late_granules(run, codec, 200_000))


def unsized(run, riff, data_size):
    lab = Lab(run)
    whole, sound = wav(lab, seconds=5)
    at = whole.index(b"data") + 4
    whole = whole[:4] + riff + whole[8:at] + data_size + whole[at + 4:]
    path = run.folder / "song.wav"
    path.write_bytes(whole)

    def answer(request):
        if request.path == "/file.wav":
            return request.file(whole, "audio/wav")
        request.head("200 OK", "Content-Type: audio/wav", "Transfer-Encoding: chunked")
        return request.chunked(whole[first:first + 4_096] for first in range(0, len(whole), 4_096))

    server = run.serve(answer)
    for place in (path, server.url("/file.wav")):
        lab.want_whole(lab.play(place), sound, 5)
    player = lab.play(server.url("/live"), seconds=5, limit=20)
    lab.want(Heard(player.sound, sound).equal >= 4.9 * RATE, f"live: {Heard(player.sound, sound)}; {player.told[-200:]}")


for name, riff, size in (("0", bytes(4), bytes(4)), ("FFFFFFFF", b"\xff" * 4, b"\xff" * 4),
                         ("RIFF right, data 0", b"\x24\x75\x0d\0", bytes(4)),
                         ("data FFFFF000", b"\xff" * 4, b"\0\xf0\xff\xff"),
                         ("data 7FFFFFFF", b"\xff\xff\xff\x7f", b"\xff\xff\xff\x7f")):
    member(30, f"WAV with size {name}", "5 s exact as file, by HTTP and in chunks")(
        lambda run, riff=riff, size=size: unsized(run, riff, size))


@member(30, "FLAC of 32 bits", "each frame")
def deep_flac(run):
    lab = Lab(run)
    deep = raw_wav(lab, "32.wav", "-c:a", "pcm_s32le")
    exact_file(run, flac_of(lab, "32.flac", deep), "song.flac", samples(lab.material.wav(0, 4)), 4)


@member(30, "Ogg FLAC of 32 bits and 96 kHz, mono", "the length")
def deep_ogg(run):
    lab = Lab(run)
    deep = raw_wav(lab, "32-96.wav", "-c:a", "pcm_s32le", "-ar", "96000", "-ac", "1")
    path = run.folder / "song.ogg"
    path.write_bytes(flac_of(lab, "32-96.ogg", deep, "--ogg", "--serial-number=4"))
    player = lab.play(path)
    count = len(player.sound) // FRAME
    lab.want(player.code == 0, f"ended with {player.code}: {player.told[-200:]}")
    lab.want(abs(count / RATE - length(lab, 0)) < 0.01, f"{count / RATE:.3f} s, not {length(lab, 0):.3f} s")
