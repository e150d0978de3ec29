#!/usr/bin/env python3
"""Plays two servers of one encoder while one is faulty at random, and compares each sample.

mirrors.py BAKELITE [FAULTS] [SEED] [CODECS]     FAULTS (100) for each radio; CODECS: some of mp3,aac,opus,hls

One encoder sends the same bytes to two real Icecasts. HLS has the segments of one ffmpeg on two real nginx. Each radio
has a proxy in front of each server (faults.py). At most one of its proxies is faulty, for 1 to 12 s, and 4 to 6 s pass
until the next fault. All radios play at the same time, two for each codec:

always      receives both servers; its whole PCM must equal that of an uncut stream
on-trouble  receives both from the second failure on; the first two faults are those of the heard server, and from the
            third fault on no audio may be silent, lost or repeated

Exits with 1 if a sample differs there, and prints the seed, the second and the fault.
"""
import collections
import functools
import json
import mmap
import multiprocessing
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from faults import FaultyProxy, Script
from icecast import Icecast, frames, source, wait_for
from jobs import together
from links import pages
from nginx import Nginx

CODECS = ("mp3", "aac", "opus", "hls")
MODES = ("always", "on-trouble")
LEAD, TAIL = 26, 60  # seconds before the radios start: burst and segments; seconds after their end
SEGMENT, LISTED = 4, 8  # seconds of a segment, and number of listed segments
PACKAGES = {"icecast2": "icecast2", "ffmpeg": "ffmpeg", "nginx": "nginx-light"}
# The encoders of ffmpeg. Each decoder must repeat its output exactly: no noise of AAC (PNS) at random.
ENCODERS = {
    "mp3": (44_100, "audio/mpeg", "-c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0 -f mp3"),
    "aac": (44_100, "audio/aac", "-c:a aac -b:a 96k -aac_pns 0 -f adts"),
    "opus": (48_000, "application/ogg", "-c:a libopus -b:a 96k -page_duration 200000 -f ogg"),
}

Run = collections.namedtuple("Run", "codec mode began faults first")
Break = collections.namedtuple("Break", "second disturbed moved")


class Servers:
    """Two Icecasts and two nginx, and the encoders that feed them."""

    def __init__(self, run, codecs, seconds):
        self.run, self.codecs = run, codecs
        encoded = sorted({"aac" if codec == "hls" else codec for codec in codecs})
        with multiprocessing.Pool(2) as pool:
            pool.starmap(encode, [(self.file(codec), codec, seconds) for codec in encoded])
        (run / "hls").mkdir()
        for name in ("one", "two"):
            (run / name).mkdir()
        self.icecasts = [Icecast(run / name) for name in ("one", "two")]
        self.nginx = [Nginx(run / f"nginx-{name}", run / "hls") for name in ("one", "two")]
        self.feeders = []

    def file(self, codec):
        return self.run / f"programme.{codec}"

    def begin(self):
        for codec in self.codecs:
            if codec == "hls":
                command = (f"ffmpeg -v error -re -i {self.file('aac')} -c copy -f hls -hls_time {SEGMENT} "
                           f"-hls_list_size {LISTED} -hls_flags temp_file -hls_segment_filename {self.run}/hls/%d.ts "
                           f"{self.run}/hls/live.m3u8")
                self.feeders.append(subprocess.Popen(command.split(), stdin=subprocess.DEVNULL))
            else:
                ports = [icecast.port for icecast in self.icecasts]
                feeder = multiprocessing.Process(target=feed, args=(ports, codec, self.file(codec)), daemon=True)
                feeder.start()
                self.feeders.append(feeder)
        time.sleep(LEAD)

    def proxies(self, codec):
        """-> the proxies of a radio, and their addresses"""
        servers, name = (self.nginx, "live.m3u8") if codec == "hls" else (self.icecasts, codec)
        proxies = [FaultyProxy(server.port) for server in servers]
        return proxies, [f"http://127.0.0.1:{proxy.port}/{name}" for proxy in proxies]

    def uncut(self, codec, first):
        """Returns a file with the stream from the first data of a radio on."""
        path = self.run / f"uncut.{codec}"
        if codec == "hls":
            ended = sorted(int(part.stem) for part in (self.run / "hls").glob("*.ts"))
            joined = b"".join((self.run / f"hls/{number}.ts").read_bytes() for number in ended if number >= int(first))
            subprocess.run(["ffmpeg", "-v", "error", "-f", "mpegts", "-i", "-", "-c", "copy", "-f", "adts", "-y", path],
                           input=joined, check=True)
            return path
        data, body = self.file(codec).read_bytes(), first.partition(b"\r\n\r\n")[2]
        head = b""
        if codec == "opus":
            parts = [page for page, granule in pages(data) if granule == 0]
            head, body = b"".join(parts), body[sum(map(len, parts)):]
        begin = data.find(body[:8_000])
        if begin < 0:
            sys.exit(f"mirrors: {codec}: the first bytes are not those of the encoder")
        path.write_bytes(head + data[begin:])
        return path

    def end(self):
        for feeder in self.feeders:
            feeder.kill()
        for server in self.icecasts + self.nginx:
            server.end()


def encode(path, codec, seconds):
    rate, _, words = ENCODERS[codec]
    noise = ";".join(f"anoisesrc=d={seconds}:c=pink:r={rate}:a=0.4:seed={seed}[{seed}]" for seed in (1, 2))
    subprocess.run(["ffmpeg", "-v", "error", "-filter_complex", f"{noise};[1][2]amerge", *words.split(), path],
                   check=True, stdin=subprocess.DEVNULL)


def feed(ports, codec, path):
    """Sends the same bytes to all servers, at the time of an encoder."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rate, kind, _ = ENCODERS[codec]
    sources = [source(port, codec, kind) for port in ports]
    began = time.monotonic()
    for block, second in blocks(path.read_bytes(), codec, rate):
        time.sleep(max(0.0, began + second - time.monotonic()))
        for one in sources:
            one.sendall(block)


def blocks(data, codec, rate):
    """Yields the pages of Ogg, or some frames, with the second at which an encoder has made them."""
    second, block = 0.0, b""
    if codec == "opus":
        yield from ((page, granule / rate) for page, granule in pages(data))
        return
    for frame, lasts in frames(data):
        block += frame
        second += lasts
        if len(block) > 1_000:
            yield block, second
            block = b""


class Watch(threading.Thread):
    """Records the pauses of this machine: a radio without a processor is silent too, with audio in its buffer."""

    SHORTEST, MOST = 0.1, 20  # seconds, and number of pauses of a valid measurement

    def __init__(self):
        super().__init__(daemon=True)
        self.pauses = []
        self.start()

    def run(self):
        last = time.monotonic()
        while True:
            time.sleep(0.01)
            now = time.monotonic()
            if now - last > self.SHORTEST:
                self.pauses.append((last, now))
            last = now

    def explains(self, moment):
        return any(begin - 0.5 < moment < end + 0.5 for begin, end in self.pauses)

    def __str__(self):
        longest = max((end - begin for begin, end in self.pauses), default=0)
        return f"{len(self.pauses)} pauses of the machine, the longest {longest:.2f} s"


def play(binary, servers, codec, mode, script):
    """-> Run"""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    proxies, urls = servers.proxies(codec)
    pcm, events, log = (servers.run / f"{codec}-{mode}.{end}" for end in ("pcm", "jsonl", "log"))
    with open(log, "wb") as told:
        player = subprocess.Popen(
            [binary, "play", "--output", f"raw:{pcm}", "--events", events, "--second-source", mode, "--duration",
             str(script.length), "--alternative", urls[1], urls[0]],
            stdin=subprocess.DEVNULL, stdout=told, stderr=told)
    try:
        wait_for("the sound", lambda: pcm.exists() and pcm.stat().st_size > 0)
        began, met = time.monotonic(), []
        for fault in script.faults:
            time.sleep(max(0.0, began + fault.begin - time.monotonic()))
            if mode == "on-trouble" and len(met) < 2:
                fault = fault._replace(proxy=int(proxies[1].passed > proxies[0].passed))
            met.append((pcm.stat().st_size, fault))
            proxies[fault.proxy].begin(fault.kind)
            time.sleep(max(0.0, began + fault.end - time.monotonic()))
            proxies[fault.proxy].end()
        player.wait(script.length + TAIL)
    except subprocess.TimeoutExpired:
        print(f"mirrors: {codec} {mode}: the radio did not reach its end")
    finally:
        player.kill()
    first = proxies[0].first
    if codec == "hls":
        first = next(path for path in proxies[0].asked if path.endswith(".ts"))[1:-3]
    return Run(codec, mode, began, met, first)


class Judge:
    """Compares a radio's PCM with that of the uncut stream."""

    def __init__(self, binary, servers, run, script, watch):
        self.run, self.script, self.watch, self.name = run, script, watch, f"{run.codec}-{run.mode}"
        self.rate = ENCODERS.get(run.codec, ENCODERS["aac"])[0]
        self.frame = 4
        self.pcm, self.whole = servers.run / f"{self.name}.pcm", servers.run / "whole.pcm"
        subprocess.run([binary, "play", "--pace", "free", "--output", f"raw:{self.whole}",
                        str(servers.uncut(run.codec, run.first))], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lines = (servers.run / f"{self.name}.jsonl").read_text().splitlines()
        self.events = [json.loads(line) for line in lines]
        self.started = next(event["t"] for event in self.events if event["event"] == "playing")

    def second(self, place):
        return place / self.frame / self.rate

    def breaks(self):
        """-> (the breaks, compared seconds)"""
        found = []
        with open(self.pcm, "rb") as one, open(self.whole, "rb") as two, \
                mmap.mmap(one.fileno(), 0, access=mmap.ACCESS_READ) as heard, \
                mmap.mmap(two.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            at, place = 0, 0
            while True:
                count = same(heard, at, whole, place)
                at, place = at + count, place + count
                if at >= len(heard):
                    return found, self.second(at)
                disturbed, moved = self.rejoin(heard, at, whole, place)
                found.append(Break(self.second(at), self.second(disturbed), self.second(moved)))
                at, place = at + disturbed, place + disturbed + moved

    def rejoin(self, heard, at, whole, place):
        """-> (bytes until the sound equals the programme again, bytes by which the programme is then ahead)"""
        step, window = self.rate // 20 * self.frame, 60 * self.rate * self.frame
        at, place = at - at % self.frame, place - place % self.frame
        for skip in range(step, len(heard) - at - step, step):
            begin = max(0, place + skip - window)
            piece = heard[at + skip:at + skip + step]
            found = whole.find(piece, begin, place + skip + window)
            if found >= 0 and (found - begin) % self.frame == 0 and any(piece):
                return skip, found - place - skip
        return len(heard) - at, 0

    def fault_at(self, second):
        """-> (number, fault) at that second of the sound"""
        places = [self.second(size) for size, _ in self.run.faults]
        number = sum(place <= second + 0.05 for place in places)
        return number, self.run.faults[number - 1][1] if number else None

    def story(self, second):
        """Returns the radio's events before that second of its sound."""
        near = [event for event in self.events if -8 < event["t"] - self.started - second < 1]
        return "".join(f"\n    {json.dumps(event)[:200]}" for event in near if event["event"] != "stationInfo")

    def is_empty(self, second):
        """True if the buffer was empty then: a pause of the machine is not the cause."""
        near = [event for event in self.events if abs(event["t"] - self.started - second) < 2]
        return any(event["event"] == "queueExhausted" or event["event"] == "stitched" and not event["exact"]
                   for event in near)

    def judge_breaks(self):
        """-> (compared seconds, number of breaks, faults)"""
        wrong, (found, seconds) = [], self.breaks()
        free = 0 if self.run.mode == "always" else 2
        for one in found:
            number, fault = self.fault_at(one.second)
            after = f"fault {number}, {fault.kind} of server {fault.proxy + 1} for {fault.end - fault.begin:.1f} s" \
                if fault else "no fault"
            text = (f"{self.name}: the sound at {one.second:.2f} s, after {after}, differs for {one.disturbed:.2f} s, "
                    f"then is {one.moved:+.3f} s ahead")
            if 0 < number <= free:
                print(f"before the third fault: {text}")
            elif self.watch.explains(self.run.began + one.second) and not self.is_empty(one.second):
                print(f"in a pause of the machine: {text}")
            else:
                wrong.append(text + self.story(one.second))
        return seconds, len(found), wrong

    def row(self):
        """-> (row of the table, faults)"""
        seconds, count, wrong = self.judge_breaks()
        summary = next((event for event in self.events if event["event"] == "summary"), {})
        if seconds < self.script.length - 1:
            wrong.append(f"{self.name}: {seconds:.1f} s of sound in {self.script.length:.1f} s")
        stitches = [event for event in self.events if event["event"] == "stitched"]
        if len(stitches) < len(self.run.faults) // 5:
            wrong.append(f"{self.name}: {len(stitches)} joins at {len(self.run.faults)} faults")
        return [self.name, len(self.run.faults), f"{seconds:.1f}", len(stitches),
                sum(event["exact"] for event in stitches), summary.get("underruns"), summary.get("lost"), count,
                summary.get("rssAnonPeak")], wrong


def same(one, at, other, place, block=1 << 20):
    """Returns the number of equal bytes from two places on."""
    count, most = 0, min(len(one) - at, len(other) - place)
    while count < most:
        size = min(block, most - count)
        if one[at + count:at + count + size] == other[place + count:place + count + size]:
            count += size
        elif block == 1:
            break
        else:
            block = max(1, block // 4)
    return count


def main():
    binary, words = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] + [""] * 3
    count, seed = int(words[0] or 100), int(words[1] or time.time())
    codecs = words[2].split(",") if words[2] else CODECS
    missing = sorted({package for program, package in PACKAGES.items() if not shutil.which(program)})
    if missing:
        sys.exit("mirrors: needs Debian's packages " + " ".join(missing))
    runs = [(codec, mode) for codec in codecs for mode in MODES]
    scripts = {run: Script(f"{seed} {run}", count) for run in runs}
    longest = max(script.length for script in scripts.values())
    print(f"seed {seed}, {count} faults in up to {longest:.0f} s: SEED={seed} FAULTS={count} make mirrors repeats them",
          flush=True)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    except PermissionError:
        pass
    faults = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)  # Icecast runs as another user
        servers = Servers(pathlib.Path(folder), codecs, int(longest) + LEAD + TAIL)
        try:
            servers.begin()
            watch = Watch()
            done = together([functools.partial(play, binary, servers, *run, scripts[run]) for run in runs])
            print(watch)
            head = ["radio", "faults", "seconds", "joins", "exact", "underruns", "lost s", "breaks", "RssAnon KiB"]
            print("  ".join(name.rjust(12) for name in head))
            for run in done:
                row, wrong = Judge(binary, servers, run, scripts[run.codec, run.mode], watch).row()
                print("  ".join(str(cell).rjust(12) for cell in row), flush=True)
                faults += wrong
            if len(watch.pauses) > watch.MOST:
                faults.append("the machine is too busy for this measurement")
        finally:
            servers.end()
    for fault in faults:
        print(f"mirrors: seed {seed}: {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
