"""HLS: slow and redirected lists, lists that break the rules, refused segments, foreign audio, video before the sound."""
import gzip
import random
import re
import subprocess
import threading
import time

from exact import RATE, Heard, Lab, adts, cut, mpeg
from kit import HLS, clock_frame, id3, master, member


class Station:
    """A live HLS station of segments with real durations. `tags` returns the lines before a segment."""

    def __init__(self, parts, listed=6, ready=None, target=None, name="s{}.aac", tags=lambda number: [],
                 head="#EXTM3U\n#EXT-X-VERSION:6", has_sequence=True):
        self.parts, self.listed, self.ready = parts, listed, ready or listed
        self.target, self.name, self.tags, self.head_lines, self.has_sequence = target, name, tags, head, has_sequence
        self.began = None

    @property
    def end(self):
        """Returns the number of finished segments; the station starts with the first question."""
        self.began = self.began or time.monotonic()
        late, count = time.monotonic() - self.began, self.ready
        while count < len(self.parts) and late >= self.parts[count][1]:
            late, count = late - self.parts[count][1], count + 1
        return min(count, len(self.parts))

    def text(self, first=None, end=None, is_over=False, base=""):
        end = self.end if end is None else end
        first = max(0, end - self.listed) if first is None else first
        lines = [self.head_lines]
        if self.target != 0:
            lines.append(f"#EXT-X-TARGETDURATION:{self.target or max(round(part[1] + 0.49) for part in self.parts)}")
        lines += [f"#EXT-X-MEDIA-SEQUENCE:{first}"] if self.has_sequence else []
        for number in range(first, end):
            lines += [*self.tags(number), f"#EXTINF:{self.parts[number][1]:.5f},", base + self.name.format(number)]
        return "\n".join(lines + (["#EXT-X-ENDLIST"] if is_over else [])) + "\n"

    def data(self, path):
        return self.parts[self.number(path)][0]

    @staticmethod
    def number(path):
        return int(re.search(r"(\d+)(\.\w+)?$", path)[1])


def packed(lab, frames=86, number=0):
    """Segments of packed ADTS with timestamps, about 2 s each."""
    parts, at = [], 0.0
    for data, seconds in cut(adts(lab.material.aac(number).read_bytes()), frames, 1024):
        parts.append((id3(clock_frame(at)) + data, seconds))
        at += seconds
    return parts


def listen(lab, station, list_answer=None, segment_answer=None, seconds=12, options=(), path="/live.m3u8"):
    """Plays a live station, in real time. -> Player, Server"""
    def answer(request):
        if request.path.endswith(".m3u8"):
            if list_answer:
                return list_answer(request, station)
            return request.answer(station.text(), HLS)
        if segment_answer:
            return segment_answer(request, station)
        return request.answer(station.data(request.path), "audio/aac")

    server = lab.run.serve(answer)
    return lab.play(server.url(path), seconds=seconds, pace="clock", options=options, limit=seconds + 20), server


def want_live(lab, player, seconds=12, reference=None, **more):
    """Wants exact, unbroken audio without an underrun."""
    lab.want_whole(player, reference or lab.reference(lab.material.aac()), seconds, **more)
    lab.want(player.summary.get("underruns") == 0, f"{player.summary.get('underruns')} underruns")


def lists(server):
    return [request for request in server.requests if request.path.endswith(".m3u8")]


# 16: the sound before the list

@member(16, "target 1 s, three redirects on the list", "12 s exact, no underrun")
def three_redirects(run):
    lab = Lab(run)

    def give(request, station):
        hop = {"/live.m3u8": "/a/x.m3u8", "/a/x.m3u8": "/b/y.m3u8", "/b/y.m3u8": "/final.m3u8"}.get(request.path)
        time.sleep(0.05)
        return request.redirect(hop) if hop else request.answer(station.text(), HLS)

    player, _ = listen(lab, Station(packed(lab, 43)), give)
    want_live(lab, player)


@member(16, "target 1 s, three redirects that may not be stored", "12 s exact, no underrun")
def unstored_redirects(run):
    lab = Lab(run)

    def give(request, station):
        hop = {"/live.m3u8": "/a/x.m3u8", "/a/x.m3u8": "/b/y.m3u8", "/b/y.m3u8": "/final.m3u8"}.get(request.path)
        return request.redirect(hop, "Cache-Control: no-store") if hop else request.answer(station.text(), HLS)

    player, server = listen(lab, Station(packed(lab, 43)), give)
    want_live(lab, player)
    lab.want(server.count("/live.m3u8") >= 3, f"{server.count('/live.m3u8')} requests of the redirect")


@member(16, "each list takes 1.2 s", "12 s exact, no underrun")
def slow_list(run):
    lab = Lab(run)

    def give(request, station):
        time.sleep(1.2)
        request.answer(station.text(), HLS)

    player, _ = listen(lab, Station(packed(lab)), give)
    want_live(lab, player)


@member(16, "a permanent redirect (301)", "12 s exact, at most 3 requests of the redirect")
def permanent_redirect(run):
    lab = Lab(run)

    def give(request, station):
        if request.path == "/live.m3u8":
            return request.redirect("/node7/list.m3u8", status="301 Moved Permanently")
        return request.answer(station.text(), HLS)

    player, server = listen(lab, Station(packed(lab, 43)), give)
    want_live(lab, player)
    # The search, the first list, and once past any cache.
    lab.want(server.count("/live.m3u8") <= 3, f"{server.count('/live.m3u8')} requests of the redirect")


@member(16, "a redirect with max-age=4", "12 s exact, the redirect is requested again after 4 s")
def short_redirect(run):
    lab = Lab(run)

    def give(request, station):
        if request.path == "/live.m3u8":
            return request.redirect("/edge/list.m3u8", "Cache-Control: public, max-age=4")
        return request.answer(station.text(), HLS)

    player, server = listen(lab, Station(packed(lab, 43)), give, seconds=14)
    want_live(lab, player, 14)
    times = [request.time - server.began for request in server.at("/live.m3u8")]
    lab.note("redirect at " + ", ".join(f"{at:.1f}" for at in times))
    # Four lifetimes, the search, and requests past any cache.
    lab.want(4 <= len(times) <= 7, f"{len(times)} requests of the redirect")
    lab.want(len(lists(server)) - len(times) >= 2 * len(times) - 6, f"{len(lists(server))} lists")


@member(16, "the target of a redirect expires after 5 s (403)", "14 s exact, the redirect is followed again")
def expired_target(run):
    lab, tickets = Lab(run), {}

    def give(request, station):
        if request.path == "/live.m3u8":
            ticket = f"/t{len(tickets)}/list.m3u8"
            tickets[ticket] = time.monotonic()
            return request.redirect(ticket)
        if time.monotonic() - tickets.get(request.path, 0) > 5:
            return request.refuse("403 Forbidden")
        return request.answer(station.text(), HLS)

    player, server = listen(lab, Station(packed(lab)), give, seconds=14)
    want_live(lab, player, 14)
    lab.want(2 <= server.count("/live.m3u8") <= 5, f"{server.count('/live.m3u8')} requests of the redirect")


@member(16, "a server for one request at a time, with lists of 60 KB at 60 KB/s", "14 s exact, no underrun")
def one_at_a_time(run):
    lab, lock = Lab(run), threading.Lock()

    def give(request, station):
        text = station.text().encode() + b"#" * 60_000 + b"\n"
        with lock:
            request.head("200 OK", f"Content-Type: {HLS}", f"Content-Length: {len(text)}")
            for at in range(0, len(text), 6_000):
                request.send(text[at:at + 6_000])
                time.sleep(0.1)

    def part(request, station):
        with lock:
            request.answer(station.data(request.path), "audio/aac")

    player, _ = listen(lab, Station(packed(lab)), give, part, seconds=14)
    want_live(lab, player, 14)


@member(16, "a redirect to another host name, segments relative to it", "10 s exact")
def relative_to_target(run):
    lab = Lab(run)

    def give(request, station):
        if request.path == "/live.m3u8":
            port = request.connection.getsockname()[1]
            return request.redirect(f"http://localhost:{port}/deep/er/list.m3u8?e=1", status="307 Temporary Redirect")
        return request.answer(station.text(base="../seg/"), HLS)

    def part(request, station):
        if not request.path.startswith("/deep/seg/"):
            return request.refuse("404 Not Found")
        return request.answer(station.data(request.path), "audio/aac")

    player, _ = listen(lab, Station(packed(lab)), give, part, seconds=10)
    want_live(lab, player, 10)


# 17: details

def controlled(lab, station, drive, answer=None):
    """Plays with a control socket; `drive(player, tell)` gives the commands."""
    socket = lab.run.folder / "socket"

    def give(request):
        if request.path.endswith(".m3u8"):
            return request.answer(station.text(), HLS)
        return request.answer(station.data(request.path), "audio/aac")

    server = lab.run.serve(answer or give)
    player = lab.start(server.url("/live.m3u8"), pace="clock", options=("--control", socket))

    def tell(*words):
        code, _, told = lab.command("ctl", "--socket", socket, *words)
        lab.want(code == 0, f"ctl {' '.join(words)}: {told.strip()}")

    player.until(lambda: player.events("playing"))
    drive(player, tell)
    player.wait(0.1)
    player.code = 0  # Ended by the member.
    return player, server


def heard_seconds(player, seconds):
    """Waits until this much sound was written."""
    return player.until(lambda: len(player.sound) >= seconds * RATE * 4, 25)


def without_silence(sound, least=2_205):
    """Removes silent parts of 50 ms or more."""
    return re.sub(rb"(?:\0{4}){%d,}" % least, b"", sound)


@member(17, "pause for 5 s, then play", "continues at the same frame")
def paused(run):
    lab = Lab(run)

    def drive(player, tell):
        heard_seconds(player, 3)
        tell("pause")
        player.until(lambda: player.events("paused"))
        time.sleep(5)
        tell("play")
        heard_seconds(player, len(player.sound) / 4 / RATE + 6)

    player, _ = controlled(lab, Station(packed(lab)), drive)
    heard = Heard(without_silence(player.sound), lab.reference(lab.material.aac()))
    lab.note(heard)
    lab.want(heard.steps in ([], [0]) and heard.equal >= 8 * RATE, f"steps {heard.steps}, {heard.equal} frames")
    lab.want(heard.differing <= 2_000, f"{heard.differing} frames differ")


@member(17, "rewind by 4 s", "the same 4 s again, and no further step")
def rewound(run):
    lab = Lab(run)

    def drive(player, tell):
        heard_seconds(player, 6)
        tell("rewind", "4")
        player.until(lambda: player.events("seekDone") or len(player.sound) > 14 * RATE * 4, 10)
        heard_seconds(player, len(player.sound) / 4 / RATE + 5)

    player, _ = controlled(lab, Station(packed(lab)), drive)
    heard = Heard(player.sound, lab.reference(lab.material.aac()))
    lab.note(heard)
    back = sum(heard.steps) / RATE
    lab.want(-4.5 < back < -3.5, f"steps {heard.steps}")
    lab.want(heard.equal >= 10 * RATE, f"{heard.equal / RATE:.1f} s are exact")


@member(17, "EXT-X-DISCONTINUITY before each packed segment", "12 s exact")
def discontinuities(run):
    lab = Lab(run)
    parts = cut(adts(lab.material.aac().read_bytes()), 86, 1024)
    # The time starts again with each segment.
    parts = [(id3(clock_frame(10)) + data, seconds) for data, seconds in parts]
    player, _ = listen(lab, Station(parts, tags=lambda number: ["#EXT-X-DISCONTINUITY"] if number % 5 else []))
    want_live(lab, player)


@member(17, "EXT-X-DISCONTINUITY before each segment of MP3", "12 s exact")
def mp3_discontinuities(run):
    lab = Lab(run)
    parts = cut(mpeg(lab.material.mp3().read_bytes()), 77, 1152)
    player, _ = listen(lab, Station(parts, name="m{}.mp3", tags=lambda number: ["#EXT-X-DISCONTINUITY"]))
    want_live(lab, player, reference=lab.reference(lab.material.mp3()))


def ffmpeg_parts(lab, kind, *options, source=None, codec=("-c:a", "copy"), seconds=2):
    """Segments by ffmpeg's hls muxer, with their list. -> [(bytes, seconds)], the map or None"""
    folder = lab.run.folder / f"{kind}-{len(list(lab.run.folder.iterdir()))}"
    folder.mkdir()
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", source or lab.material.aac(), *codec,
                    *(["-bsf:a", "aac_adtstoasc"] if kind == "fmp4" and "copy" in codec else []), "-f", "hls", "-hls_time",
                    str(seconds), "-hls_list_size", "0", "-hls_segment_type", kind, *options, "list.m3u8"],
                   cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    lines = (folder / "list.m3u8").read_text().splitlines()
    parts = [((folder / name).read_bytes(), float(info[8:].rstrip(",")))
             for info, name in zip(lines, lines[1:]) if info.startswith("#EXTINF")]
    init = folder / "init.mp4"
    return parts, init.read_bytes() if init.exists() else None


@member(17, "EXT-X-DISCONTINUITY before each transport stream", "12 s exact")
def stream_discontinuities(run):
    lab = Lab(run)
    parts, _ = ffmpeg_parts(lab, "mpegts")
    player, _ = listen(lab, Station(parts, name="t{}.ts", tags=lambda number: ["#EXT-X-DISCONTINUITY"]))
    want_live(lab, player)


@member(17, "EXT-X-DISCONTINUITY and a new EXT-X-MAP before each fragment", "12 s exact")
def fragment_discontinuities(run):
    lab = Lab(run)
    parts, init = ffmpeg_parts(lab, "fmp4")
    station = Station(parts, name="f{}.m4s",
                      tags=lambda number: ["#EXT-X-DISCONTINUITY", f'#EXT-X-MAP:URI="init{number}.mp4"'])

    def part(request, station):
        request.answer(init if "init" in request.path else station.data(request.path), "video/mp4")

    player, _ = listen(lab, station, None, part)
    want_live(lab, player)


def padded_station(lab, size, frames, pack=False):
    """Plays a station with a list of this size. -> times of list requests"""
    station = Station(packed(lab, frames), listed=4)

    def give(request, station):
        text = station.text().encode()
        chance = random.Random(7)
        line = b"#" + bytes(chance.choices(b"0123456789abcdef", k=99)) + b"\n"
        text += line * ((size - len(text)) // len(line))
        if pack and "gzip" in request["accept-encoding"]:
            return request.answer(gzip.compress(text), HLS, "Content-Encoding: gzip")
        return request.answer(text, HLS)

    player, server = listen(lab, station, give, seconds=14)
    want_live(lab, player, 14)
    times = [request.time - server.began for request in lists(server)]
    gaps = [b - a for a, b in zip(times[1:], times[2:])]
    lab.note("lists at " + ", ".join(f"{at:.1f}" for at in times))
    return times, gaps


@member(17, "a list of 1 MiB, target 2 s", "14 s exact, a list at most every 4 s")
def long_list(run):
    lab = Lab(run)
    times, gaps = padded_station(lab, 1 << 20, 86)
    lab.want(len(times) > 2 and min(gaps, default=9) > 3.8, f"lists at {times}")


@member(17, "a list of 512 KiB, target 1 s", "14 s exact, a list at most every 2 s")
def half_long_list(run):
    lab = Lab(run)
    times, gaps = padded_station(lab, 1 << 19, 43)
    lab.want(len(times) > 3 and min(gaps, default=9) > 1.8, f"lists at {times}")


@member(17, "a list of 2 MiB of segments that was on the air for long, target 4 s", "10 s exact, a list at most every 8 s")
def history_list(run):
    lab = Lab(run)
    station = Station(packed(lab, 172), listed=4)

    def give(request, station):
        end = station.end
        old = "".join(f"#EXTINF:2.0,\nold/{number:08}/segment-of-a-long-day.aac\n" for number in range(40_000))
        text = station.text(0, end).replace("#EXTINF", old + "#EXTINF", 1)
        request.answer(text, HLS)

    player, server = listen(lab, station, give, seconds=10)
    want_live(lab, player, 10)
    times = [request.time - server.began for request in lists(server)]
    lab.note("lists at " + ", ".join(f"{at:.1f}" for at in times))
    lab.want(min((b - a for a, b in zip(times[1:], times[2:])), default=9) > 7.5, f"lists at {times}")


# 18: lists that break the rules

@member(18, "a sliding list without MEDIA-SEQUENCE", "14 s exact")
def without_sequence(run):
    lab = Lab(run)
    player, _ = listen(lab, Station(packed(lab), has_sequence=False), seconds=14)
    want_live(lab, player, 14)


@member(18, "without MEDIA-SEQUENCE, names with the time of the day", "14 s exact")
def named_by_time(run):
    lab = Lab(run)
    station = Station(packed(lab, 130), has_sequence=False, listed=4, name="2026-11-29T10-00-{:02}.aac")
    player, _ = listen(lab, station, seconds=14)
    want_live(lab, player, 14)


@member(18, "MEDIA-SEQUENCE:0 in each sliding list", "14 s exact")
def stuck_sequence(run):
    lab = Lab(run)
    station = Station(packed(lab), has_sequence=False, head="#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0")
    player, _ = listen(lab, station, seconds=14)
    want_live(lab, player, 14)


@member(18, "without MEDIA-SEQUENCE, with a list that moves by two segments", "14 s exact")
def by_twos(run):
    lab = Lab(run)

    def give(request, station):
        request.answer(station.text(max(0, station.end // 2 * 2 - 6), station.end // 2 * 2), HLS)

    player, _ = listen(lab, Station(packed(lab), ready=8, has_sequence=False), give, seconds=14)
    want_live(lab, player, 14)


@member(18, "without MEDIA-SEQUENCE, parts of one file (BYTERANGE)", "14 s exact")
def ranges_without_sequence(run):
    lab = Lab(run)
    parts = packed(lab)
    whole, starts = b"".join(data for data, _ in parts), [0]
    for data, _ in parts:
        starts.append(starts[-1] + len(data))
    station = Station(parts, has_sequence=False, name="hour.aac",
                      tags=lambda number: [f"#EXT-X-BYTERANGE:{len(parts[number][0])}@{starts[number]}"])
    player, _ = listen(lab, station, None, lambda request, _: request.file(whole, "audio/aac"), seconds=14)
    want_live(lab, player, 14)


@member(18, "without MEDIA-SEQUENCE, with a new ticket in each list", "14 s exact")
def tickets_without_sequence(run):
    lab = Lab(run)

    def give(request, station):
        text = re.sub(r"(?m)^(s\d+\.aac)$", rf"\1?ticket={time.monotonic_ns()}", station.text())
        request.answer(text, HLS)

    player, _ = listen(lab, Station(packed(lab), has_sequence=False), give, seconds=14)
    want_live(lab, player, 14)


@member(18, "TARGETDURATION:2 with segments of 5 s", "16 s exact")
def short_target(run):
    lab = Lab(run)
    player, _ = listen(lab, Station(packed(lab, 215), target=2, listed=3), seconds=16)
    want_live(lab, player, 16)


@member(18, "TARGETDURATION:1 with segments of 3 s that come a second late", "14 s exact")
def short_target_late(run):
    lab = Lab(run)

    def part(request, station):
        time.sleep(1)
        request.answer(station.data(request.path), "audio/aac")

    player, _ = listen(lab, Station(packed(lab, 130), target=1, listed=4), None, part, seconds=14)
    want_live(lab, player, 14)


@member(18, "no TARGETDURATION", "12 s exact")
def without_target(run):
    lab = Lab(run)
    player, _ = listen(lab, Station(packed(lab), target=0))
    want_live(lab, player)


# 20: foreign audio in HLS

def finished(lab, parts, kind, name, *words, codes=(1,)):
    """Plays a finished list of audio that is refused; each word is in the sentence."""
    station = Station(parts, name=name)

    def answer(request):
        if request.path.endswith(".m3u8"):
            return request.answer(station.text(0, len(parts), is_over=True), HLS)
        return request.answer(station.data(request.path), kind)

    server = lab.run.serve(answer)
    lab.want_silent_refusal(lab.play(server.url("/list.m3u8"), limit=40), *words, codes=codes)
    lab.want(len(server.requests) <= 20, f"{len(server.requests)} requests")


def slices(data, count=5):
    size = len(data) // count
    return [(data[at * size:(at + 1) * size], 4.0) for at in range(count)]


@member(20, "packed E-AC-3 with timestamps", "Dolby is named, no noise")
def packed_eac3(run):
    lab = Lab(run)
    data = lab.material.ffmpeg("0.eac3", "-c:a", "eac3", "-b:a", "192k").read_bytes()
    finished(lab, [(id3(clock_frame(at * 4)) + part, 4.0) for at, (part, _) in enumerate(slices(data))], "audio/eac3",
             "e{}.ec3", "Dolby")


@member(20, "packed E-AC-3 with the type and name of AAC", "Dolby is named, no noise")
def disguised_eac3(run):
    lab = Lab(run)
    data = lab.material.ffmpeg("0.eac3", "-c:a", "eac3", "-b:a", "192k").read_bytes()
    finished(lab, slices(data), "audio/aac", "e{}.aac", "Dolby")


@member(20, "packed AC-3", "AC-3 is named, no noise")
def packed_ac3(run):
    lab = Lab(run)
    data = lab.material.ffmpeg("0.ac3", "-c:a", "ac3", "-b:a", "192k").read_bytes()
    finished(lab, slices(data), "audio/ac3", "e{}.ac3", "Dolby")


@member(20, "E-AC-3 in a transport stream", "Dolby is named, no noise")
def stream_eac3(run):
    lab = Lab(run)
    parts, _ = ffmpeg_parts(lab, "mpegts", source=lab.material.wav(), codec=("-c:a", "eac3"), seconds=4)
    finished(lab, parts, "video/mp2t", "e{}.ts", "Dolby")


@member(20, "DTS in a transport stream", "a sentence, no noise")
def stream_dts(run):
    lab = Lab(run)
    parts, _ = ffmpeg_parts(lab, "mpegts", source=lab.material.wav(), codec=("-c:a", "dca", "-strict", "-2"), seconds=4)
    finished(lab, parts, "video/mp2t", "e{}.ts")


@member(20, "Opus in fragments of MP4", "a sentence, no noise")
def fragment_opus(run):
    lab = Lab(run)
    parts, init = ffmpeg_parts(lab, "fmp4", source=lab.material.wav(), codec=("-c:a", "libopus"), seconds=4)
    finished(lab, [(init + data, seconds) for data, seconds in parts], "video/mp4", "e{}.mp4")


@member(20, "segments of random bytes with the type of AAC", "a sentence, no noise")
def random_segments(run):
    lab = Lab(run)
    finished(lab, slices(random.Random(3).randbytes(400_000)), "audio/aac", "e{}.aac")


# 21: refused

def refused(lab, text, answer, codes=(1, 3), words=(), seconds=10, most=10):
    """Plays a list whose other addresses are refused."""
    def give(request):
        if request.path.endswith(".m3u8"):
            return request.answer(text() if callable(text) else text, HLS)
        return answer(request)

    server = lab.run.serve(give)
    player = lab.play(server.url("/live.m3u8"), pace="clock", limit=45)
    lab.want_silent_refusal(player, *words, codes=codes)
    lab.want(player.seconds <= seconds + 1, f"ended after {player.seconds:.1f} s")
    lab.want(len(server.requests) <= most, f"{len(server.requests)} requests")


@member(21, "live list, each segment 404", "a sentence with 404 within 10 s, at most 10 requests")
def missing_segments(run):
    lab = Lab(run)
    station = Station(packed(lab))
    refused(lab, station.text, lambda request: request.refuse("404 Not Found"), words=("404",))


@member(21, "live list, each segment 403", "a sentence with 403 within 10 s, at most 10 requests")
def forbidden_segments(run):
    lab = Lab(run)
    station = Station(packed(lab))
    refused(lab, station.text, lambda request: request.refuse("403 Forbidden"), words=("403",))


@member(21, "finished list, each segment 410", "a sentence with 410 within 10 s, at most 10 requests")
def gone_segments(run):
    lab = Lab(run)
    station = Station(packed(lab))
    refused(lab, lambda: station.text(0, 12, True), lambda request: request.refuse("410 Gone"), words=("410",))


@member(21, "the map of fragments is 403", "a sentence with 403 within 10 s, at most 10 requests")
def forbidden_map(run):
    lab = Lab(run)
    parts, _ = ffmpeg_parts(lab, "fmp4")
    station = Station(parts, name="f{}.m4s", head='#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-MAP:URI="init.mp4"')

    def answer(request):
        if "init" in request.path:
            return request.refuse()
        return request.answer(station.data(request.path), "video/mp4")

    refused(lab, station.text, answer, words=("403",))


def encrypted(lab, number, data):
    """AES-128 with the key of 16 letters k and the number as IV."""
    run = subprocess.run(["openssl", "enc", "-aes-128-cbc", "-K", "6b" * 16, "-iv", f"{number:032x}"], input=data,
                         capture_output=True, check=True)
    return run.stdout


@member(21, "the key is 404", "a sentence with 404 within 10 s, at most 10 requests")
def missing_key(run):
    lab = Lab(run)
    parts = [(encrypted(lab, number, data), seconds) for number, (data, seconds) in enumerate(packed(lab))]
    station = Station(parts, head='#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-KEY:METHOD=AES-128,URI="key.bin"')

    def answer(request):
        if "key" in request.path:
            return request.refuse("404 Not Found")
        return request.answer(station.data(request.path), "audio/aac")

    refused(lab, station.text, answer, words=("404",))


@member(21, "the key has a wrong length", "a sentence within 10 s, at most 16 requests")
def short_key(run):
    lab = Lab(run)
    parts = [(encrypted(lab, number, data), seconds) for number, (data, seconds) in enumerate(packed(lab))]
    station = Station(parts, head='#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-KEY:METHOD=AES-128,URI="key.bin"')

    def answer(request):
        request.answer(b"<html>login</html>" if "key" in request.path else station.data(request.path), "audio/aac")

    # The key is requested again for each try, and the sentence comes after the sixth.
    refused(lab, station.text, answer, most=16)


@member(21, "a live list without segments", "a sentence, at most 20 requests in 30 s")
def no_segments(run):
    lab = Lab(run)
    text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n"
    server = lab.run.serve(lambda request: request.answer(text, HLS))
    player = lab.play(server.url("/live.m3u8"), pace="clock", limit=45)
    lab.want_silent_refusal(player)
    lab.want(len(server.requests) <= 20, f"{len(server.requests)} requests in {player.seconds:.0f} s")


def half(lab, later, answer, least):
    """A finished list whose second half has other tags."""
    parts = packed(lab)[:8]
    station = Station(parts, tags=lambda number: [later] if number == 4 else [])

    def give(request):
        if request.path.endswith(".m3u8"):
            return request.answer(station.text(0, 8, is_over=True), HLS)
        return answer(request, station)

    server = lab.run.serve(give)
    player = lab.play(server.url("/live.m3u8"), limit=50)
    heard = Heard(player.sound, lab.reference(lab.material.aac()))
    lab.note(heard)
    lab.note(f"exit {player.code}: {player.sentence}")
    lab.want(heard.equal >= least * RATE, f"{heard.equal / RATE:.2f} s are exact")
    lab.want(heard.differing <= 2_048, f"{heard.differing} frames equal no part of the programme")
    lab.want(player.code in (1, 3), f"ended with {player.code}: {player.told[-200:]}")
    lab.want(player.sentence.endswith("."), f"no sentence: {player.told[-200:]}")
    lab.want(len(server.requests) <= 20, f"{len(server.requests)} requests")


@member(21, "the later half is SAMPLE-AES", "the first half exact, then a sentence")
def half_sample_aes(run):
    half(Lab(run), '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"',
         lambda request, station: request.answer(station.data(request.path), "audio/aac"), 7.8)


@member(21, "the key of the later half is 403", "the first half exact, then a sentence")
def half_key(run):
    def answer(request, station):
        if "key" in request.path:
            return request.refuse()
        return request.answer(station.data(request.path), "audio/aac")

    half(Lab(run), '#EXT-X-KEY:METHOD=AES-128,URI="key.bin"', answer, 7.8)


@member(21, "the later half is encrypted by a wrong key", "the first half exact, then a sentence")
def half_wrong_key(run):
    lab = Lab(run)

    def answer(request, station):
        if "key" in request.path:
            return request.answer(b"w" * 16, "application/octet-stream")
        number = station.number(request.path)
        data = station.data(request.path)
        return request.answer(encrypted(lab, number, data) if number >= 4 else data, "audio/aac")

    half(lab, '#EXT-X-KEY:METHOD=AES-128,URI="key.bin"', answer, 7.8)


# 25: video before the sound

def box(name, data):
    return (len(data) + 8).to_bytes(4, "big") + name + data


def fragments(lab, before, count=6):
    """Plays fragments whose boxes begin with `before`, as a finished list. -> Player, Server"""
    parts, init = ffmpeg_parts(lab, "fmp4")
    parts = [(before + data, seconds) for data, seconds in parts[:count]]
    return whole(lab, parts, init)


def whole(lab, parts, init):
    station = Station(parts, name="f{}.m4s", head='#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-MAP:URI="init.mp4"')

    def answer(request):
        if request.path.endswith(".m3u8"):
            return request.answer(station.text(0, len(parts), is_over=True), HLS)
        return request.answer(init if "init" in request.path else station.data(request.path), "video/mp4")

    server = lab.run.serve(answer)
    return lab.play(server.url("/list.m3u8"), limit=30), server


def with_video(lab, megabits):
    """Fragments with a picture track first, of this rate. -> parts, init"""
    noise = ["-f", "lavfi", "-i", "nullsrc=s=640x360:r=10,geq=random(1)*255:128:128"]
    folder = lab.run.folder / f"video-{megabits}"
    folder.mkdir()
    rate = f"{megabits}M"
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *noise, "-i", lab.material.aac(), "-map", "0:v", "-map", "1:a",
                    "-c:v", "mpeg4", "-g", "20", "-b:v", rate, "-minrate", rate, "-maxrate", rate, "-bufsize", rate,
                    "-c:a", "copy", "-bsf:a", "aac_adtstoasc", "-t", "12", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
                    "-hls_segment_type", "fmp4", "list.m3u8"], cwd=folder, check=True, capture_output=True)
    lines = (folder / "list.m3u8").read_text().splitlines()
    parts = [((folder / name).read_bytes(), float(info[8:].rstrip(",")))
             for info, name in zip(lines, lines[1:]) if info.startswith("#EXTINF")]
    return parts, (folder / "init.mp4").read_bytes()


def video(run, megabits):
    lab = Lab(run)
    parts, init = with_video(lab, megabits)
    lab.note(f"segments of {len(parts[0][0]) // 1024} KiB")
    player, _ = whole(lab, parts, init)
    lab.want_whole(player, lab.reference(lab.material.aac()), 11.8)


for megabits in (1, 4, 10):
    member(25, f"pictures of {megabits} Mbit/s before the sound", "12 s exact")(lambda run, rate=megabits: video(run, rate))

for name, data in {
    "a free box of 1 MiB before each fragment": box(b"free", bytes(1 << 20)),
    "a skip box of 3.5 MiB before each fragment": box(b"skip", b"\xff\xfb\x90\x64" * (7 << 17)),
    "styp, prft and 300 events before each fragment": box(b"styp", b"msdh\0\0\0\0msdhmsix") + box(b"prft", bytes(24))
    + 300 * box(b"emsg", b"\1\0\0\0" + bytes(20) + b"urn:x\0\0" + b"d" * 2_000),
    "an unknown box of 2 MiB with a length of 64 bits": b"\0\0\0\1abcd" + ((2 << 20) + 16).to_bytes(8, "big")
    + b"\xff\xf1" * (1 << 20),
}.items():
    def call(run, data=data):
        lab = Lab(run)
        player, _ = fragments(lab, data)
        lab.want_whole(player, lab.reference(lab.material.aac()), 11.8)

    member(25, name, "12 s exact")(call)


@member(25, "a free box of 5 MiB before each fragment", "12 s exact, or a sentence")
def too_far(run):
    lab = Lab(run)
    player, server = fragments(lab, box(b"free", bytes(5 << 20)))
    heard = Heard(player.sound, lab.reference(lab.material.aac()))
    lab.note(f"exit {player.code}: {player.sentence}; {heard}")
    lab.want(player.code == 0 and heard.equal > 11.8 * RATE or player.code == 1 and player.sentence.endswith("."),
             f"ended with {player.code}: {player.told[-200:]}")


# 30: segments without extensions

@member(30, "HLS segments without extensions, sent as application/octet-stream", "12 s exact")
def without_extensions(run):
    lab = Lab(run)
    player, _ = listen(lab, Station(packed(lab), name="segment/{}"), None,
                       lambda request, station: request.answer(station.data(request.path), "application/octet-stream"))
    want_live(lab, player)


@member(30, "transport streams without extensions or a type, behind a master list", "12 s exact")
def streams_without_extensions(run):
    lab = Lab(run)
    parts, _ = ffmpeg_parts(lab, "mpegts")
    station = Station(parts, name="get?id={}")

    def answer(request):
        if request.path == "/live":
            return request.answer(master("/variant"), "text/plain")
        if request.path == "/variant":
            return request.answer(station.text(), "text/plain")
        body = station.data(request.query)
        request.head("200 OK", f"Content-Length: {len(body)}")
        return request.send(body)

    server = lab.run.serve(answer)
    player = lab.play(server.url("/live"), seconds=12, pace="clock", limit=30)
    want_live(lab, player)
