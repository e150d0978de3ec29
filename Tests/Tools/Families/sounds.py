"""Joined MP3 files, junk around and between frames."""
import json
import random
import struct
import subprocess
import time

from kit import id3, member, paced, span, text_frame

MP3 = "audio/mpeg"


# 8: joined MP3 files

def joined(name, build, seconds, starts=(), slack=0.4):
    """Registers a joined file: plays it, probes its length, and starts at seconds of it."""
    def play(run):
        body = build(run)
        server = run.serve(lambda request: request.file(body, MP3, 'ETag: "1"'))
        heard = run.play(server.url("/joined.mp3"), seconds=300, free=True)
        run.want(heard.code == 0, f"exit code {heard.code}")
        run.want(abs(heard.total - seconds) < 0.2 + 0.06 * len(heard.pieces), f"{heard.total:.2f} s of {seconds} s heard")
        length = probe_length(run, server.url("/joined.mp3"))
        run.want(length is not None and abs(length - seconds) < seconds / 100, f"length {length}")
        run.note(f"length {length}")
        for start, place in starts:
            part = run.play(server.url("/joined.mp3"), seconds=3, options=["--start", start], free=True)
            run.want(part.pieces and abs(part.pieces[0].begin - place) < slack, f"start {start}: heard {part}")
    member(8, name, f"{seconds} s, length within 1 %, starts at {', '.join(str(place) for _, place in starts)}")(play)


def probe_length(run, url):
    output = subprocess.run([run.binary, "probe", "--json", url], capture_output=True, text=True, timeout=40).stdout
    try:
        return json.loads(output).get("duration")
    except ValueError:
        return None


def lame(run, begin, end, *options):
    name = f"{begin}-{end}{''.join(options)}.mp3"
    return run.material.lame(name, *options, start=begin, seconds=end - begin).read_bytes()


def vbri(frames_, seconds):
    """Returns a frame with Fraunhofer's header in front of the frames of a file (128 bytes of table)."""
    body = b"".join(frame for frame, _ in frames_)
    first = frames_[0][0]
    entries, each = 20, len(frames_) // 20 + 1
    sizes = [sum(len(frame) for frame, _ in frames_[at * each:(at + 1) * each]) for at in range(entries)]
    head = first[:4] + bytes(32) + b"VBRI" + struct.pack(">HHHIIHHHH", 1, 0, 75, len(body) + len(first), len(frames_) + 1,
                                                         entries, 1, 2, each)
    head += b"".join(struct.pack(">H", min(size, 65_535)) for size in sizes)
    return head.ljust(len(first), b"\0")[:len(first)] + body


joined("three parts of CBR, the first with LAME's figures",
       lambda run: lame(run, 0, 20, "--cbr", "-b", "64") + lame(run, 40, 70, "--cbr", "-b", "64", "-t")
       + lame(run, 80, 90, "--cbr", "-b", "64", "-t"), 60, [(30, 50), (55, 85)])
joined("two parts of VBR, each with LAME's figures",
       lambda run: lame(run, 0, 30, "-V", "5") + lame(run, 50, 90, "-V", "5"), 70, [(20, 20), (50, 70)])
joined("VBR, then CBR of another bit rate without figures",
       lambda run: lame(run, 0, 20, "-V", "7") + lame(run, 60, 100, "--cbr", "-b", "96", "-t"), 60, [(40, 80)])
joined("a long CBR part, then a short one of 3 s",
       lambda run: lame(run, 0, 60, "--cbr", "-b", "64") + lame(run, 100, 103, "--cbr", "-b", "64", "-t"), 63, [(61, 101)])
joined("tags of both kinds between the parts",
       lambda run: id3(text_frame("TIT2", "One")) + lame(run, 0, 20, "-V", "5") + b"TAG" + b"One".ljust(125, b"\0")
       + id3(text_frame("TIT2", "Two"), ("APIC", b"\0image/jpeg\0\3\0" + bytes(random.Random(1).randbytes(90_000))))
       + lame(run, 40, 70, "-V", "5"), 50, [(35, 55)])
joined("Fraunhofer's VBRI for the first part only",
       lambda run: vbri(run.material.frames("mp3")[:766], 20)
       + b"".join(frame for frame, _ in span(run.material.frames("mp3"), 50, 80)), 50, [(35, 65)])
joined("five parts of different bit rates",
       lambda run: b"".join(lame(run, at * 20, at * 20 + 12, "--cbr", "-b", str(rate), *([] if at == 0 else ["-t"]))
                            for at, rate in enumerate((64, 96, 48, 128, 80))), 60, [(20, 28), (45, 69)])


# 9: junk

def junk(name, build, seconds=20, live=False, slack=0.3, kind=MP3, title=None):
    """Registers a file, or a station, with bytes that are no audio."""
    def play(run):
        body = build(run)

        def answer(request):
            if not live:
                return request.file(body, kind)
            request.head("200 OK", f"Content-Type: {kind}", "icy-name: Junk")
            begin, rate = len(body), len(body) / seconds
            request.stream(paced(((body[at:at + 1000], 1000 / rate) for at in range(0, begin, 1000)), 5.0))
            return time.sleep(20)

        server = run.serve(answer)
        length = seconds - 2 if live else seconds + 10
        heard = run.play(server.url("/junk"), seconds=length, free=not live, options=["--live"] if live else [])
        run.want(abs(heard.total - (length if live else seconds)) < slack + 0.12 * len(heard.pieces),
                 f"{heard.total:.2f} s heard: {heard}")
        run.want(heard.code == 0, f"exit code {heard.code}: {heard.last_message[:200]}")
        if title:
            run.want(title in heard.titles, f"titles {heard.titles}")
    member(9, name, f"{seconds} s" + (f", {title}" if title else ""))(play)


def music(run, begin=0, end=20, name="mp3"):
    return run.material.sound(name, begin, end)


def tag(size, body, version=3):
    return b"ID3" + bytes([version, 0, 0]) + bytes(size >> shift & 127 for shift in (21, 14, 7, 0)) + body


TITLE = b"TIT2" + struct.pack(">I", 5) + b"\0\0\0Junk"
PICTURE = random.Random(2).randbytes(150_000).replace(b"\xff", b"\xfe")


def riff(tag_, body, extra=b""):
    form = struct.pack("<HHIIHH", tag_, 1, 44_100, 8_000, 1, 0) + struct.pack("<H", len(extra)) + extra
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"fact" + struct.pack("<II", 4, 882_000)
    chunks += b"data" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks


junk("zeros of 100 KB between frames", lambda run: music(run, 0, 10) + bytes(100_000) + music(run, 10, 20))
junk("ten stretches of zeros of 3 KB, not at frame borders", lambda run: b"".join(
    music(run, at * 2, at * 2 + 2) + bytes(3_000 + at) for at in range(10)))
junk("zeros of 1 MB before the first frame", lambda run: bytes(1_000_000) + music(run))
junk("zeros before the tag, and behind it", lambda run: bytes(5_000) + tag(len(TITLE), TITLE) + bytes(40_000) + music(run))
junk("a tag whose size omits its picture", lambda run: tag(len(TITLE), TITLE) + PICTURE + music(run), title="Junk")
junk("a tag whose size includes 20 KB of frames", lambda run: tag(len(TITLE) + 20_000, TITLE) + music(run), 20,
     slack=2.7, title="Junk")
junk("a tag whose size exceeds the file", lambda run: tag(50_000_000, TITLE) + music(run))
junk("a tag of size 0, and one of version 9", lambda run: tag(0, b"") + tag(30, bytes(30), 9) + music(run))
junk("MP3 in RIFF, format 0x55", lambda run: riff(0x55, music(run), struct.pack("<HIHHH", 1, 2, 209, 1, 1393)),
     kind="audio/x-wav")
junk("MP3 in RIFF with a LIST before the data, sent as MP3",
     lambda run: riff(0x55, music(run), struct.pack("<HIHHH", 1, 2, 209, 1, 1393)).replace(
         b"fact", b"LIST" + struct.pack("<I", 16) + b"INFOINAM" + struct.pack("<I", 4) + b"abc\0" + b"fact", 1))
junk("ADTS in RIFF, format 0xFF", lambda run: riff(0xFF, music(run, name="aac")), kind="audio/wav")
junk("ADTS in RIFF, format 0x1600", lambda run: riff(0x1600, music(run, name="aac")), kind="audio/wav")
junk("an APE tag and Lyrics3 at the end", lambda run: music(run) + b"APETAGEX" + struct.pack(
    "<IIII", 2000, 32 + 2_000, 1, 0xA0000000) + bytes(8) + b"x" * 2_000 + b"APETAGEX" + struct.pack(
    "<IIII", 2000, 2_032, 1, 0x80000000) + bytes(8) + b"LYRICSBEGININD0000200LYR00005hello000031LYRICS200" + b"TAG" + bytes(125))
junk("an HTML error page before the frames", lambda run: b"<html><body>Warning: PHP</body></html>\n" * 40 + music(run))
junk("random bytes between frames", lambda run: b"".join(
    music(run, at * 5, at * 5 + 5) + random.Random(at).randbytes(2_000) for at in range(4)), slack=0.6)
junk("a station that begins within a frame, after an old tag", lambda run: music(run, 0, 20)[133:], 20, live=True)
junk("a station with zeros between its songs", lambda run: b"".join(
    music(run, at * 5, at * 5 + 5) + bytes(2_000) for at in range(5)), 25, live=True, slack=0.6)
junk("a station that puts tags between its songs", lambda run: b"".join(
    tag(len(TITLE), TITLE) + music(run, at * 5, at * 5 + 5) + b"TAG" + bytes(125) for at in range(5)), 25, live=True)
