#!/usr/bin/env python3
"""Composes and renders the demo piece of Bakelite: four short movements for plucked guitar, organ, electric piano,
bass and brushes, by arithmetic only. The piece is a loop: a note that still rings at the end continues at the
beginning.

    compose.py OUT.wav TITLES.txt [LEAD]

writes the loop, preceded by its last LEAD samples and followed by its first (see encode.sh), and the start time of
each movement.
"""

import array
import math
import random
import sys
import wave

RATE = 44_100
LOOP = 335 * 9_216  # samples, about 70 s: whole frames both of MP3 (1,152 samples) and of AAC (1,024)
TAU = 2 * math.pi
PEAK = 10 ** (-3 / 20)

dice = random.Random(1941)
dry = [array.array("d", bytes(8 * LOOP)) for _ in range(2)]
wet = [array.array("d", bytes(8 * LOOP)) for _ in range(2)]


# Instruments: each returns the samples of one note.


def frequency(note):
    """Returns the frequency of a note such as "A4", "F#3" or "Bb5", in Hz."""
    step = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}[note[0]]
    step += note.count("#") - note[1:].count("b")
    return 440 * 2 ** ((step + 12 * int(note[-1]) - 57) / 12)


def fade(samples, milliseconds):
    count = min(len(samples), int(RATE * milliseconds / 1000))
    for i in range(count):
        samples[-1 - i] *= i / count
    return samples


def guitar(pitch, seconds, softness=0.5):
    """A plucked string (Karplus-Strong synthesis)."""
    period = RATE / pitch - 0.5
    size = int(period)
    blend = period - size
    string = [dice.uniform(-1, 1) for _ in range(size + 1)]
    for _ in range(3):
        string = [(1 - softness) * string[i] + softness * string[i - 1] for i in range(size + 1)]
    mean = sum(string) / len(string)
    samples = [s - mean for s in string]
    damping = 0.5 * 10 ** (-3 / (pitch * 2.6))
    for i in range(size + 1, int(RATE * seconds)):
        a, b, c = samples[i - size], samples[i - size - 1], samples[i - size - 2] if i > size + 1 else 0.0
        samples.append(damping * ((1 - blend) * (a + b) + blend * (b + c)))
    for i in range(64):
        samples[i] *= i / 64
    return fade(samples, 60)


def organ(pitch, seconds, drawbars=(1, 0.5, 0.22, 0.12), attack=0.03, tremor=0.004):
    """An organ: a sum of sine waves, with a slow vibrato."""
    out = []
    phase, step = 0.0, TAU * pitch / RATE
    for i in range(int(RATE * (seconds + 0.08))):
        t = i / RATE
        phase += step * (1 + tremor * math.sin(TAU * 5.3 * t) * min(1, t * 2))
        level = min(1, t / attack) * min(1, max(0, (seconds + 0.08 - t) / 0.08))
        tone = sum(d * math.sin(phase * (k + 1)) for k, d in enumerate(drawbars))
        out.append(0.5 * level * tone)
    return out


def piano(pitch, seconds):
    """An electric piano: one sine wave modulates another, plus a high tine."""
    out = []
    step = TAU * pitch / RATE
    for i in range(int(RATE * seconds)):
        t = i / RATE
        body = math.exp(-t * 2.2)
        bend = 1.4 * math.exp(-t * 5) * math.sin(step * i)
        tine = 0.12 * math.exp(-t * 14) * math.sin(step * 7 * i)
        out.append(min(1, t / 0.004) * (body * math.sin(step * i + bend) + tine))
    return fade(out, 50)


def bass(pitch, seconds):
    out = []
    step = TAU * pitch / RATE
    for i in range(int(RATE * seconds)):
        t = i / RATE
        bend = 1.1 * math.exp(-t * 7) * math.sin(step * 2 * i)
        out.append(min(1, t / 0.006) * math.exp(-t * 1.7) * math.sin(step * i + bend))
    return fade(out, 45)


def brush(seconds, brightness):
    """Noise without low frequencies; brightness 0 … 1."""
    out, low = [], 0.0
    for i in range(int(RATE * seconds)):
        noise = dice.uniform(-1, 1)
        low += (0.15 + 0.5 * brightness) * (noise - low)
        t = i / RATE
        out.append((noise - low) * min(1, t / 0.003) * math.exp(-t * 6 / seconds))
    return fade(out, 10)


def drum():
    out, phase = [], 0.0
    for i in range(int(RATE * 0.22)):
        t = i / RATE
        phase += TAU * (52 + 70 * math.exp(-t * 45)) / RATE
        out.append(math.sin(phase) * math.exp(-t * 16))
    return fade(out, 20)


def click():
    """A stick on the rim."""
    return fade(
        [math.exp(-i / 260) * (math.sin(0.24 * i) + 0.5 * math.sin(0.391 * i)) * min(1, i / 20) for i in range(2400)], 5
    )


# The mixing desk.

memory = {}


def play(start, instrument, *arguments, gain, pan=0.0, room=0.25):
    """Adds a note at a sample of the loop. pan: -1 … 1. room: the share that goes to the reverb."""
    key = (instrument, arguments)
    if key not in memory:
        memory[key] = instrument(*arguments)
    angle = (pan + 1) * math.pi / 4
    for channel, level in enumerate((gain * math.cos(angle), gain * math.sin(angle))):
        out, send = dry[channel], wet[channel]
        at = int(start) % LOOP
        for sample in memory[key]:
            out[at] += level * sample
            send[at] += level * room * sample
            at += 1
            if at == LOOP:
                at = 0


class Movement:
    """A part of the loop with its own tempo."""

    def __init__(self, start, beat, swing=0.5):
        self.start, self.beat, self.swing = start, beat, swing

    def at(self, beat):
        whole, part = divmod(beat, 1)
        swung = part * 2 * self.swing if part <= 0.5 else self.swing + (part - 0.5) * 2 * (1 - self.swing)
        return self.start + (whole + swung) * self.beat

    def seconds(self, beats):
        return round(beats * self.beat / RATE, 3)

    def line(self, beat, text, instrument, ring=0.0, **desk):
        """Plays notes and rests with their beats, such as "E5:1 -:.5 G5:.5". Returns the beat after the last note."""
        for word in text.replace("|", " ").split():
            note, beats = word.split(":")
            if note != "-":
                humane = 1 + dice.uniform(-0.07, 0.07)
                play(
                    self.at(beat) + dice.uniform(0, 180),
                    instrument,
                    frequency(note),
                    self.seconds(float(beats) + ring),
                    **{**desk, "gain": desk["gain"] * humane},
                )
            beat += float(beats)
        return beat

    def chord(self, beat, notes, beats, instrument, strum=0, **desk):
        for i, note in enumerate(notes.split()):
            play(self.at(beat) + i * strum, instrument, frequency(note), self.seconds(beats), **desk)


# The piece.


def warm_up(m):
    chords = ["E4 G4 B4", "E4 G4 C5", "F4 A4 C5", "F4 G4 B4", "D4 G4 B4", "E4 G4 C#5", "F4 A4 C5", "E4 G4 A4"]
    m.line(
        0,
        """E5:1 G5:.5 E5:.5 D5:.5 C5:.5 B4:1 | C5:1 E5:.5 C5:.5 A4:1 G4:1
        F4:.5 A4:.5 C5:.5 E5:.5 D5:1 A4:1 | B4:.5 D5:.5 F5:.5 A5:.5 G5:1.5 F5:.5
        E5:1 G5:.5 B5:.5 A5:.5 G5:.5 E5:1 | C#5:.5 E5:.5 G5:.5 Bb5:.5 A5:1 G5:1
        F5:.5 E5:.5 D5:.5 C5:.5 B4:.5 D5:.5 G5:.5 F5:.5 | E5:1 C5:.5 G4:.5 C5:2""",
        guitar,
        ring=0.9,
        gain=0.5,
        pan=-0.25,
    )
    m.line(
        0,
        """C2:1 E2:1 G2:1 B2:1 | A2:1 G2:1 E2:1 C#2:1 | D2:1 F2:1 A2:1 C3:1 | G2:1 F2:1 D2:1 G2:1
        E2:1 G2:1 B2:1 E2:1 | A2:1 G2:1 E2:1 C#2:1 | D2:1 A2:1 G2:1 B1:1 | C2:1 G2:1 A2:1 E2:1""",
        bass,
        gain=0.42,
        room=0.06,
    )
    for bar, chord in enumerate(chords):
        for beat in (1, 3.5) if bar % 2 else (1.5, 3):
            m.chord(bar * 4 + beat, chord, 0.45, organ, gain=0.085, pan=0.35)
        for beat in range(4):
            play(m.at(bar * 4 + beat), brush, 0.12, 0.7, gain=0.1 if beat % 2 else 0.07, pan=0.2)
            play(m.at(bar * 4 + beat + 0.5), brush, 0.06, 0.9, gain=0.05, pan=0.3)
        for beat in (1, 3):
            play(m.at(bar * 4 + beat), brush, 0.2, 0.3, gain=0.13, pan=-0.1)


def waltz(m):
    chords = """A2 C4 E4 A4, E2 B3 D4 G#4, A2 C4 E4 A4, A2 C#4 E4 G4, D2 D4 F4 A4, G2 B3 D4 F4, C2 C4 E4 G4, F2 C4 F4 A4
        D2 D4 F4 A4, E2 B3 D4 G#4, A2 C4 E4 A4, C2 Bb3 E4 G4"""
    m.line(
        0,
        """E5:2 D5:1 | C5:1 B4:1 G#4:1 | A4:2 C5:1 | C#5:1 E5:1 G5:1 | F5:2 E5:1 | D5:1 B4:1 G4:1 | E5:2 G5:1
        A5:1 F5:1 C5:1 | D5:2 F5:1 | E5:1 D5:.5 C5:.5 B4:1 | A4:2.5 -:.5 | Bb4:1 C5:1 E5:1""",
        organ,
        gain=0.2,
        pan=0.15,
        room=0.4,
    )
    for bar, chord in enumerate(chords.replace("\n", ",").split(",")):
        root, *rest = chord.split()
        m.line(bar * 3, f"{root}:1.6", bass, gain=0.45, room=0.06)
        for beat in (1, 2):
            m.chord(bar * 3 + beat, " ".join(rest), 1.4, guitar, strum=350, gain=0.2, pan=-0.3)
            play(m.at(bar * 3 + beat), brush, 0.14, 0.4, gain=0.08, pan=0.2)
        play(m.at(bar * 3), brush, 0.3, 0.1, gain=0.06, pan=0.1)


def lullaby(m):
    bars = [
        ("F2:4", "A3 C4 E4", "F3 A3 C4 E4 G4 E4 C4 A3"),
        ("D2:4", "A3 C4 F4", "D3 A3 C4 F4 A4 F4 C4 A3"),
        ("Bb1:4", "Bb3 D4 F4", "Bb2 F3 A3 D4 F4 D4 A3 F3"),
        ("A1:4", "G3 C4 E4", "A2 E3 G3 C4 E4 C4 G3 E3"),
        ("G1:2 C2:2", "Bb3 D4 F4", "G2 D3 F3 Bb3 C3 G3 Bb3 E4"),
        ("F2:2 G2:2", "A3 C4 F4", "F3 A3 C4 E4 G3 B3 D4 F4"),
    ]
    m.line(
        0,
        """C5:1.5 A4:.5 G4:2 | F4:1 A4:1 C5:1.5 D5:.5 | F5:1.5 D5:.5 Bb4:2 | C5:1 E5:.5 D5:.5 C5:2
        Bb4:1 D5:1 E5:.5 G5:.5 E5:1 | F5:2 D5:1 B4:1""",
        guitar,
        ring=1.5,
        gain=0.5,
        pan=-0.1,
        room=0.45,
    )
    for bar, (low, pad, steps) in enumerate(bars):
        m.line(bar * 4, low, bass, gain=0.42, room=0.08)
        m.chord(bar * 4, pad, 3.9, lambda p, s: organ(p, s, (1, 0.25, 0.08), 0.5), gain=0.07, pan=0.3, room=0.6)
        for i, note in enumerate(steps.split()):
            m.line(bar * 4 + i / 2, f"{note}:.5", piano, ring=0.9, gain=0.13, pan=0.45 - i * 0.12, room=0.4)


def samba(m):
    chords = """C2 G2 E4 G4 A4, E2 B2 D4 G4 B4, F2 C3 E4 A4 C5, F2 C3 D4 Ab4 C5, E2 B2 D4 G4 B4, A2 E2 C#4 G4 B4
        D2 A2 F4 A4 C5, G2 D2 F4 A4 B4, C2 G2 E4 G4 A4, A2 E2 C4 G4 B4, D2 A2 F4 A4 C5, G2 D2 F4 B4 D5"""
    m.line(
        0,
        """-:.5 G5:1 E5:.5 G5:1 A5:1 | B5:1.5 G5:.5 E5:2 | -:.5 A5:1 F5:.5 A5:1 C6:1 | Ab5:1.5 F5:.5 D5:2
        -:.5 G5:1 E5:.5 D5:1 E5:1 | C#5:1.5 E5:.5 G5:1 A5:1 | F5:1 -:.5 D5:.5 F5:.5 A5:1 C6:.5 | B5:1.5 A5:.5 G5:2
        -:.5 G5:1 E5:.5 C5:1 D5:1 | E5:1.5 C5:.5 A4:2 | -:.5 F5:1 D5:.5 A5:1 F5:1 | G5:.5 F5:.5 D5:.5 B4:.5 G4:2""",
        piano,
        ring=0.5,
        gain=0.24,
        pan=0.15,
        room=0.35,
    )
    for bar, chord in enumerate(chords.replace("\n", ",").split(",")):
        root, fifth, *rest = chord.split()
        m.line(bar * 4, f"{root}:1.5 {root}:.5 {fifth}:1.5 {fifth}:.5", bass, gain=0.42, room=0.06)
        for beat in (0, 1.5, 2.5) if bar % 2 else (0.5, 1.5, 3):
            m.chord(bar * 4 + beat, " ".join(rest), 0.9, guitar, strum=200, gain=0.19, pan=-0.35)
        for eighth in range(8):
            accent = 0.1 if eighth % 4 == 2 else 0.06
            play(m.at(bar * 4 + eighth / 2), brush, 0.07, 0.85, gain=accent, pan=0.4)
        for beat in (0, 2):
            play(m.at(bar * 4 + beat), drum, gain=0.3, room=0.05)
        for beat in (1, 2.5) if bar % 2 else (0, 1.5, 3):
            play(m.at(bar * 4 + beat), click, gain=0.05, pan=-0.2)


MOVEMENTS = [  # title, music, beats, beats per minute, swing: position of the off-beat
    ("Bakelite Trio - Warm-up", warm_up, 32, 112, 0.62),
    ("Bakelite Trio - Waltz for a Valve", waltz, 36, 132, 0.5),
    ("Bakelite Trio - Long Wave Lullaby", lullaby, 24, 80, 0.5),
    ("Bakelite Trio - Short Wave Samba", samba, 48, 152, 0.5),
]


# The room and the master.


def comb(signal, delay, feedback, damping):
    line, low, at, out = [0.0] * delay, 0.0, 0, array.array("d", bytes(8 * LOOP))
    for lap in range(2):  # the second lap starts with the reverb of the first lap's end
        for i, sample in enumerate(signal):
            heard = line[at]
            low += (1 - damping) * (heard - low)
            line[at] = sample + feedback * low
            at = at + 1 if at + 1 < delay else 0
            out[i] = heard
    return out


def allpass(signal, delay, gain=0.6):
    out = array.array("d", bytes(8 * LOOP))
    line, at = [0.0] * delay, 0
    for lap in range(2):
        for i, sample in enumerate(signal):
            heard = line[at]
            entering = sample + gain * heard
            line[at] = entering
            at = at + 1 if at + 1 < delay else 0
            out[i] = heard - gain * entering
    return out


def room(signal, spread):
    combs = [comb(signal, delay + spread, 0.8, 0.35) for delay in (1_423, 1_557, 1_693, 1_811)]
    mixed = array.array("d", map(sum, zip(*combs)))
    return allpass(allpass(mixed, 389 + spread), 127 + spread)


def master(signal):
    """Removes frequencies below 25 Hz, and rounds off the peaks like a valve."""
    keep = math.exp(-TAU * 25 / RATE)
    last = low = 0.0
    out = array.array("d", bytes(8 * LOOP))
    for lap in range(2):
        for i, sample in enumerate(signal):
            low = keep * (low + sample - last)
            last = sample
            out[i] = math.tanh(1.1 * low)
    return out


def main():
    target, titles = sys.argv[1:3]
    lead = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    stretch = LOOP / sum(beats * 60 / tempo for _, _, beats, tempo, _ in MOVEMENTS)
    start, lines = 0.0, []
    for title, music, beats, tempo, swing in MOVEMENTS:
        lines.append(f"{start / RATE:.3f}\t{title}\n")
        beat = 60 / tempo * stretch
        music(Movement(start, beat, swing))
        start += beats * beat
    channels = []
    for channel in range(2):
        echo = room(wet[channel], 23 * channel)
        channels.append(master(array.array("d", (d + 0.4 * e for d, e in zip(dry[channel], echo)))))
    scale = 32_767 * PEAK / max(max(map(abs, channel)) for channel in channels)
    left, right = ([round(scale * sample) for sample in channel] for channel in channels)
    frames = array.array("h", (sample for pair in zip(left, right) for sample in pair))
    if sys.byteorder == "big":
        frames.byteswap()
    with wave.open(target, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        if lead:
            file.writeframes(frames[-2 * lead :].tobytes())
        file.writeframes(frames.tobytes())
        file.writeframes(frames[: 2 * lead].tobytes())
    with open(titles, "w", encoding="utf-8") as file:
        file.writelines(lines)


main()
