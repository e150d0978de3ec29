"""Simulated sound cards with their own clock (clock-card.c), and the audio and times that they recorded."""
import bisect
import ctypes
import os
import pathlib
import statistics
import struct
import subprocess
import time

RATE = 48000
FRAME = 4
CHUNK = 960


def make_cards(run, cards):
    """Builds the card and defines a card for each entry (name: parts per million). -> the environment for its users"""
    library = run / "libasound_module_pcm_clock.so"
    source = pathlib.Path(__file__).with_name("clock-card.c")
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-DPIC", "-o", library, source, "-lasound"],
                   check=True)
    rows = [f'pcm.{name} {{ type clock ppm {off} file "{run / name}" }}' for name, off in cards.items()]
    config = run / "asoundrc"
    head = ["</usr/share/alsa/alsa.conf>", f'pcm_type.clock {{ lib "{library}" }}']
    config.write_text("\n".join(head + rows) + "\n")
    return {**os.environ, "ALSA_CONFIG_PATH": str(config), "HOME": str(run)}


class Heard:
    """The audio played by a card, with its times."""

    def __init__(self, path):
        self.pcm = pathlib.Path(f"{path}.pcm").read_bytes()
        lines = [line.split() for line in pathlib.Path(f"{path}.txt").read_text().splitlines()]
        stretches = [(int(start), int(first), float(rate)) for first, start, rate in lines]
        # A section without frames has no meaning.
        self.stretches = [s for s, after in zip(stretches, stretches[1:] + [None]) if not after or after[1] > s[1]]
        self.starts = [start for start, _, _ in self.stretches]

    def frame(self, moment):
        """-> the frame played at a time, in nanoseconds of CLOCK_MONOTONIC; None if no frame was played"""
        at = bisect.bisect_right(self.starts, moment) - 1
        if at < 0:
            return None
        start, first, rate = self.stretches[at]
        frame = first + (moment - start) * rate / 1e9
        last = self.stretches[at + 1][1] if at + 1 < len(self.stretches) else len(self.pcm) // FRAME
        return frame if frame < last else None

    def moment(self, frame):
        """-> the time at which a frame was played"""
        start, first, rate = max((s for s in self.stretches if s[1] <= frame), key=lambda s: s[1])
        return start + (frame - first) * 1e9 / rate

    def peak(self, moment, milliseconds=20):
        """-> the maximum sample played since a time; 0 is silence"""
        frame = self.frame(moment)
        if frame is None:
            return 0
        count = RATE * milliseconds // 1000
        part = self.pcm[int(frame) * FRAME:(int(frame) + count) * FRAME]
        return max((abs(s) for s in struct.unpack(f"<{len(part) // 2}h", part)), default=0)

    def lag(self, other, moment, window=64, reach=4800):
        """-> the delay of another card against this card at a time, in ms; None if it is ambiguous"""
        here, there = self.frame(moment), other.frame(moment)
        if here is None or there is None:
            return None
        first = int(here)
        sample = self.pcm[first * FRAME:(first + window) * FRAME]
        if len(set(sample)) < 20:
            return None
        begin = max(0, int(there) - reach)
        space = other.pcm[begin * FRAME:(int(there) + reach) * FRAME]
        at, found = space.find(sample), []
        while at >= 0:
            if at % FRAME == 0:
                found.append(begin + at // FRAME)
            at = space.find(sample, at + 1)
        return (other.moment(found[0]) - self.moment(first)) / 1e6 if len(found) == 1 else None


def figures(values):
    """-> the median of the absolute values, and their 99th percentile"""
    sizes = sorted(abs(v) for v in values)
    return statistics.median(sizes), sizes[min(len(sizes) - 1, len(sizes) * 99 // 100)]


def own_error(run, names, environment, seconds=20):
    """Plays one source to two cards. -> the error of the cards' reported delays against each other, in ms"""
    os.environ["ALSA_CONFIG_PATH"] = environment["ALSA_CONFIG_PATH"]
    alsa = ctypes.CDLL("libasound.so.2")
    cards, told = [], []
    for name in names:
        card = ctypes.c_void_p()
        # S16_LE, interleaved, 80 ms: the settings of snapclient.
        if alsa.snd_pcm_open(ctypes.byref(card), name.encode(), 0, 0) < 0 or \
                alsa.snd_pcm_set_params(card, 2, 3, 2, RATE, 0, 80000) < 0:
            raise SystemExit(f"The card {name} cannot be opened.")
        cards.append(card)
        told.append([])
    for chunk in range(seconds * RATE // CHUNK):
        data = struct.pack("<1920h", *[(chunk * 2 * CHUNK + i) % 65536 - 32768 for i in range(2 * CHUNK)])
        for card, words in zip(cards, told):
            delay = ctypes.c_long()
            error = alsa.snd_pcm_delay(card, ctypes.byref(delay))
            now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            if error == 0 and chunk > 10:
                words.append((chunk * CHUNK, now + delay.value * 1e9 / RATE))
            while alsa.snd_pcm_writei(card, data, CHUNK) != CHUNK:
                # Underrun, because this machine also runs other programs.
                if alsa.snd_pcm_prepare(card) < 0:
                    raise SystemExit("A card accepted no audio.")
    for card in cards:
        alsa.snd_pcm_close(card)
    off = []
    for name, words in zip(names, told):
        heard = Heard(run / name)
        off.append({frame: (moment - heard.moment(frame)) / 1e6 for frame, moment in words})
    return figures([off[0][frame] - off[1][frame] for frame in off[0] if frame in off[1]])
