"""A programme with a different chord in each tenth of a second, and a card that identifies the audible chord."""
import array
import math
import os
import pathlib
import signal
import time
import wave

from card import Card

RATE, SLOT = 44100, 0.1
# The number of a slot has four base-6 digits; each digit is one of its six tones.
DIGITS, BASE = 4, 6
TONES = [[400 + 110 * (digit * BASE + value) for value in range(BASE)] for digit in range(DIGITS)]


def digits(slot):
    return [slot // BASE ** digit % BASE for digit in range(DIGITS)]


def write_programme(path, seconds):
    """Writes mono audio to a WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        # Each tone has whole periods in a slot, so its samples are the same in each slot.
        waves = [[[6000 * math.sin(2 * math.pi * tone * index / RATE) for index in range(int(RATE * SLOT))]
                  for tone in tones] for tones in TONES]
        for slot in range(int(seconds / SLOT) % BASE ** DIGITS):
            chord = zip(*(waves[digit][value] for digit, value in enumerate(digits(slot))))
            file.writeframes(array.array("h", map(int, map(sum, chord))).tobytes())


def place(samples):
    """Returns the programme's second for a piece of audio; None for silence and for audio that matches no single
    slot."""
    if max(map(abs, samples), default=0) < 1000:
        return None
    slot = 0
    for digit in range(DIGITS):
        powers = [power(samples, tone) for tone in TONES[digit]]
        best = max(powers)
        if best < 4 * sorted(powers)[-2]:
            return None
        slot += powers.index(best) * BASE ** digit
    return slot * SLOT


def power(samples, tone):
    """Goertzel's algorithm on every fourth sample."""
    factor, a, b = 2 * math.cos(2 * math.pi * tone * 4 / RATE), 0.0, 0.0
    for sample in samples[::4]:
        a, b = sample + factor * a - b, a
    return a * a + b * b - factor * a * b


class HearingCard(Card):
    """A card that records all played audio including silence, from the first audio on."""

    def __init__(self, fifo):
        self.heard = pathlib.Path(fifo).with_suffix(".pcm")
        super().__init__(fifo)

    def run(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        held, given = bytearray(), 0
        with open(self.heard, "wb") as file:
            while True:
                try:
                    held += os.read(self.fd, self.BUFFER - len(held)) if len(held) < self.BUFFER else b""
                except BlockingIOError:
                    pass
                now = time.monotonic()
                if not self.loud.value and len(held) >= self.BUFFER // 2:
                    self.loud.value = now
                if self.loud.value:
                    due = int((now - self.loud.value) * RATE) * 4 - given
                    file.write(held[:due].ljust(due, b"\0"))
                    file.flush()
                    del held[:due]
                    given += due
                time.sleep(0.005)

    def places(self, began, length):
        """Returns the audible second of the programme for each 0.1 s, for a duration from a time on."""
        sound = array.array("h", self.heard.read_bytes()[:int(length + 5) * RATE * 4])[::2]
        offset, found = self.loud.value - began, []
        for tenth in range(length * 10):
            first = int((tenth / 10 - offset) * RATE)
            # At most one of these contains a slot's border.
            pieces = [sound[first + shift:first + shift + 1024] for shift in (0, 1600, 3200)] if first >= 0 else []
            found.append(next((p for p in map(place, pieces) if p is not None), None))
        return found
