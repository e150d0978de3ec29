"""The sound of station changes, from a pipe or from the simulated card's recording, and its judgement."""
import array
import bisect
import math
import os
import threading
import time

SEARCH = 0.7  # seconds after an order
# The part of the old tone in a window after the new tone's first 20 ms. Lossy codecs spread some noise over all tones.
MOST_LEFT = 0.01


class Ear:
    """Reads a pipe, and records the moment of each chunk."""

    def __init__(self, path, rate):
        self.path, self.rate, self.chunks = path, rate, []
        os.mkfifo(path)
        self.file = os.open(path, os.O_RDWR)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            data = os.read(self.file, 4096)
            self.chunks.append((time.monotonic(), data))

    def load(self):
        chunks = list(self.chunks)
        data = b"".join(part for _, part in chunks)
        self.pcm = array.array("h", data[:len(data) // 4 * 4])[::2]
        self.moments, self.ends, total = [], [], 0
        for moment, part in chunks:
            total += len(part)
            self.moments.append(moment)
            self.ends.append(total // 4)

    def frame(self, moment):
        """-> the first frame that was read after a moment"""
        at = bisect.bisect_right(self.moments, moment)
        return self.ends[at - 1] if at else 0

    def moment(self, frame):
        return self.moments[min(bisect.bisect_right(self.ends, frame), len(self.moments) - 1)]


class CardEar:
    """The recording of a simulated card."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()

    def load(self):
        self.pcm = array.array("h", (self.folder / "pcm").read_bytes())[::2]
        sections = [line.split() for line in (self.folder / "times").read_text().splitlines()]
        self.sections = [(int(first), int(start) / 1e9, int(rate)) for first, start, rate in sections]
        self.rate = self.sections[0][2]

    def frame(self, moment):
        first, start, rate = max((s for s in self.sections if s[1] <= moment), key=lambda s: s[1])
        return min(len(self.pcm), first + max(0, int((moment - start) * rate)))

    def moment(self, frame):
        first, start, rate = max((s for s in self.sections if s[0] <= frame), key=lambda s: s[0])
        return start + (frame - first) / rate


def strength(samples, hertz, rate):
    """-> the part of a tone in samples (Goertzel), 0 to 1"""
    step = 2 * math.cos(2 * math.pi * hertz / rate)
    one = two = 0.0
    for sample in samples:
        one, two = sample + step * one - two, one
    power = one * one + two * two - step * one * two
    total = sum(s * s for s in samples)
    return 2 * power / (len(samples) * total) if total else 0


def heard(pcm, begin, hertz, rate):
    """-> (the last frame of the old tone, the first frame of the new tone) after the frame `begin`, within 3 ms"""
    window, step = rate // 100, rate // 1000
    for at in range(begin, min(len(pcm), begin + int(SEARCH * rate)) - window, step):
        part = pcm[at:at + window]
        if max(map(abs, part)) > 300 and strength(part, hertz, rate) > 0.6:
            # The start after silence is exact; after the old tone, the new one fills about half of the window.
            silent = [i for i in range(at, at + window) if abs(pcm[i]) > 8]
            first = silent[0] if silent and silent[0] > at + step else at + window // 2
            last = first
            while last > begin and abs(pcm[last - 1]) <= 8:
                last -= 1
            return last, first
    return None


def largest_step(pcm, first, last):
    return max((abs(b - a) for a, b in zip(pcm[first:last], pcm[first + 1:last + 1])), default=0)


def remains(pcm, first, hertz, rate, seconds=0.4):
    """-> the largest part of the old tone after the first frame of the new one"""
    window = rate // 20  # whole periods of both tones
    most = 0
    for at in range(first + rate // 50, min(len(pcm), first + int(seconds * rate)) - window, window):
        part = pcm[at:at + window]
        if max(map(abs, part)) > 300:
            most = max(most, strength(part, hertz, rate))
    return most


def judge(ear, changes, stations):
    """Adds the moments of the sound to each change. -> faults"""
    ear.load()
    steps, left, rate = 0, 0, ear.rate
    for row in changes:
        old, new = (stations[number].hertz for number in (1 - row["number"], row["number"]))
        place = heard(ear.pcm, ear.frame(row["ordered"]), new, rate)
        if place:
            row["old ends"], row["heard"] = (ear.moment(frame) for frame in place)
            steps = max(steps, largest_step(ear.pcm, max(0, place[0] - rate // 20), place[1] + rate // 20))
            left = max(left, remains(ear.pcm, place[1], old, rate))
    # The steepest slope of the higher tone; lossy codecs add noise.
    usual = int(max(map(abs, ear.pcm), default=0) * 2 * math.pi * max(s.hertz for s in stations) / rate)
    faults = [f"a step of {steps}, more than 1.2 times {usual}"] if steps > 1.2 * usual else []
    return faults + ([f"{left:.1%} of the old tone after the new tone's start"] if left > MOST_LEFT else [])
