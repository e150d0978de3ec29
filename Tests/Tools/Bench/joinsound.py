"""Programmes like music and like speech, encoded for stations. A programme follows from its kind and number."""
import array
import functools
import math
import operator
import random
import subprocess
import wave

RATE, SECONDS = 44100, 240
# encoding: content type, sample rate, ffmpeg's arguments. HLS has an encoder of its own.
ENCODINGS = {
    "mp3": ("audio/mpeg", 44100, ["-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0",
                                  "-f", "mp3"]),
    "aac": ("audio/aac", 44100, ["-c:a", "aac", "-b:a", "64k", "-f", "adts"]),
    "hls": ("audio/aac", 44100, ["-c:a", "aac", "-b:a", "96k", "-f", "adts"]),
    "opus": ("audio/ogg", 48000, ["-c:a", "libopus", "-b:a", "96k", "-page_duration", "100000", "-f", "ogg"]),
}
SPEECH_RATE = 22050


def music(chance):
    """Returns left and right: plucked notes, chords, bass and drums. Key, tempo and volume change every 10 to 25 s."""
    # The first bus is at the left, the second in the middle, the third at the right.
    buses, at = [array.array("f", bytes(4 * SECONDS * RATE)) for _ in range(3)], 0
    while at < SECONDS * RATE:
        end = min(SECONDS * RATE, at + int(chance.uniform(10, 25) * RATE))
        section(chance, buses, at, end)
        at = end
    return [array.array("f", map(operator.add, buses[side], buses[1])) for side in (0, 2)]


def section(chance, buses, at, end):
    key, beat = chance.randrange(12), int(RATE * 60 / chance.uniform(160, 280))
    scale = [key + step for step in chance.choice([(0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)])]
    has_drums, volume, number, chord = chance.random() < 0.7, chance.uniform(0.4, 1), 0, 0
    while at < end:
        if number % 8 == 0:
            chord = chance.randrange(7)
            for bus, step in zip(buses, (0, 2, 4)):
                add(bus, at, note(chance, scale[(chord + step) % 7] + 12, "chord", 0.15 * volume))
        if number % 4 == 0 or chance.random() < 0.2:
            add(buses[1], at, note(chance, scale[chord], "pluck", 0.4 * volume))
        if chance.random() < 0.7:
            tone, shift = chance.choice(scale) + chance.choice((12, 24)), chance.randrange(RATE // 50)
            add(chance.choice(buses), at + shift, note(chance, tone, "pluck", chance.uniform(0.1, 0.4) * volume))
        if has_drums and (number % 4 == 2 or chance.random() < 0.05):
            add(buses[1], at, burst(chance, RATE // 6, 12, 0.25 * volume))
        elif has_drums and chance.random() < 0.8:
            add(buses[2], at, burst(chance, RATE // 20, 60, chance.uniform(0.03, 0.12) * volume))
        at, number = at + beat, number + 1


def burst(chance, count, decay, volume):
    """Returns noise, each time another."""
    noise = array.array("b", chance.randbytes(count))
    return list(map(operator.mul, noise, envelope(decay, round(volume, 2) / 128)))


def note(chance, number, form, volume):
    first, volume = chance.randrange(RATE), round(volume, 2)
    level = swell(volume) if form == "chord" else envelope(chance.choice((3, 5, 8)), volume)
    return list(map(operator.mul, string(number)[first:first + len(level)], level))


@functools.cache
def envelope(decay, volume):
    count = min(2 * RATE, int(5 / decay * RATE))
    return array.array("f", (volume * min(1, at / 200) * math.exp(-decay * at / RATE) for at in range(count)))


@functools.cache
def swell(volume):
    return array.array("f", (volume * math.sin(math.pi * at / (2 * RATE)) ** 2 for at in range(2 * RATE)))


@functools.cache
def string(number):
    """Returns 3 s of a string from 82 Hz on by semitones; its overtones are slightly too high, as those of a piano."""
    sound = array.array("f", bytes(4 * 3 * RATE))
    for part in range(1, 7):
        hertz = 82.4 * 2 ** (number / 12) * part * math.sqrt(1 + 0.0004 * part * part)
        if hertz < 15_000:
            step, level = 2 * math.pi * hertz / RATE, part ** -1.3
            sound = array.array("f", (value + level * math.sin(step * at) for at, value in enumerate(sound)))
    return sound


def add(bus, at, sound):
    end = min(len(bus), at + len(sound))
    bus[at:end] = array.array("f", map(operator.add, bus[at:end], sound))


def speech(chance):
    """Returns a channel at `SPEECH_RATE`: phrases of syllables by several voices, and pauses of up to 1.2 s."""
    sound, pitch, until = array.array("f"), 0, 0
    while len(sound) < SECONDS * SPEECH_RATE:
        if len(sound) >= until:
            pitch, until = chance.uniform(85, 230), len(sound) + chance.uniform(8, 30) * SPEECH_RATE
        for _ in range(chance.randrange(3, 12)):
            sound.extend(syllable(chance, pitch * chance.uniform(0.85, 1.2)))
        sound.extend([0.0] * int(chance.uniform(0.1, 1.2) ** 1.5 * SPEECH_RATE / 1.1))
    del sound[SECONDS * SPEECH_RATE:]
    # A room is never silent.
    noise = chance.randbytes(len(sound))
    return array.array("f", (value + (hiss - 128) / 128 * 0.001 for value, hiss in zip(sound, noise)))


def syllable(chance, pitch):
    sound = []
    if chance.random() < 0.7:
        count = int(chance.uniform(0.03, 0.12) * SPEECH_RATE)
        hiss = [chance.uniform(-1, 1) * math.sin(math.pi * at / count) for at in range(count)]
        sound += resonance(hiss, chance.uniform(1800, 7000), 1500, 0.25)
    count, phase, pulses = int(chance.uniform(0.08, 0.3) * SPEECH_RATE), 0.0, []
    glide = chance.uniform(0.8, 1.25)
    for at in range(count):
        phase += pitch * glide ** (at / count) / SPEECH_RATE
        if phase >= 1:
            phase -= 1
            pitch *= chance.uniform(0.99, 1.01)
        shape = 1 - phase / 0.6 if phase < 0.6 else 0
        pulses.append((shape * shape + 0.05 * chance.uniform(-1, 1)) * min(1, at / 300, (count - at) / 500))
    formants = [(chance.uniform(280, 850), 90, 0.5), (chance.uniform(900, 2300), 120, 0.35),
                (chance.uniform(2400, 3200), 180, 0.2)]
    volume = chance.uniform(0.4, 1)
    voices = [resonance(pulses, hertz, width, level * volume) for hertz, width, level in formants]
    return sound + list(map(sum, zip(*voices)))


def resonance(sound, hertz, width, level):
    """A filter with two poles."""
    radius = math.exp(-math.pi * width / SPEECH_RATE)
    one, two = 2 * radius * math.cos(2 * math.pi * hertz / SPEECH_RATE), -radius * radius
    gain, a, b, old, out = level * (1 - radius), 0.0, 0.0, 0.0, []
    for value in sound:
        a, b = gain * (value - old) * 4 + one * a + two * b, a
        old = value
        out.append(a)
    return out


def compose(folder, kind, number):
    """Writes a programme, its encodings and their decoded audio."""
    chance = random.Random(f"{kind} {number}")
    rate, channels = (RATE, music(chance)) if kind == "music" else (SPEECH_RATE, [speech(chance)])
    scale = 26_000 / max(max(map(abs, channel)) for channel in channels)
    sound = array.array("h", bytes(2 * len(channels) * len(channels[0])))
    for index, channel in enumerate(channels):
        sound[index::len(channels)] = array.array("h", (int(scale * value) for value in channel))
    name = f"{kind}{number}"
    with wave.open(str(folder / f"{name}.wav"), "wb") as file:
        file.setparams((len(channels), 2, rate, 0, "NONE", ""))
        file.writeframes(sound.tobytes())
    convert(folder / f"{name}.wav", folder / f"{name}.cd.wav", "-ar", RATE, "-ac", 2)
    for encoding, (_, rate, arguments) in ENCODINGS.items():
        convert(folder / f"{name}.cd.wav", folder / f"{name}.{encoding}", "-ac", 2, "-ar", rate, *arguments)
    for rate in (44100, 48000):
        form = "-ar", rate, "-ac", 2, "-f", "s16le"
        convert(folder / f"{name}.cd.wav", raw(folder, name, "wav", rate), *form)
        for encoding in ENCODINGS:
            convert(folder / f"{name}.{encoding}", raw(folder, name, encoding, rate), *form)
    return name


def raw(folder, name, encoding, rate):
    """Returns the path of the decoded audio of an encoding, "wav" for the programme itself."""
    return folder / f"{name}.{encoding}.{rate}"


def convert(source, target, *arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, *map(str, arguments), target], check=True)
