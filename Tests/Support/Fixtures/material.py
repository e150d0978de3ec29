#!/usr/bin/env python3
"""Creates the sources of the fixtures: WAVE files with sweeps, noise bursts, quiet noise and a short melody, and
Layer I frames, because an encoder for Layer I is not available. Each run produces the same bytes.

usage: material.py FOLDER
       material.py sbr AAC        adds SBR to the frames of a mono AAC-LC file, and writes the file to stdout
"""

import math
import random
import struct
import sys
import wave

MELODY = [57, 60, 64, 69, 67, 64, 60, 62, 65, 69, 74, 72, 69, 65, 64, 59]


def tone(note):
    return 440.0 * 2.0 ** ((note - 69) / 12.0)


def sweep(time, low, high, length):
    """Returns a sample of a repeated sine sweep from `low` to `high` Hz in `length` seconds, with a constant time per
    octave."""
    rate = math.log(high / low) / length
    return math.sin(2 * math.pi * low * (math.exp(rate * (time % length)) - 1) / rate)


def channel(rate, seconds, place, noise):
    """Returns the samples of a channel: the melody as plucked strings of sines, a quieter sweep, and noise bursts."""
    samples = []
    top = 0.45 * rate
    for index in range(int(rate * seconds)):
        time = index / rate
        step = int(time / 0.15)
        since = time - step * 0.15
        pitch = tone(MELODY[(step + 3 * place) % len(MELODY)])
        pluck = math.exp(-12 * since)
        value = 0.25 * pluck * sum(
            math.sin(2 * math.pi * pitch * part * time) / part for part in (1, 2, 3, 5) if pitch * part < top
        )
        value += 0.12 * sweep(time + 0.31 * place, 60, min(12000, top), 1.7)
        if (step + place) % 5 == 4 and since < 0.06:
            value += 0.3 * (noise.random() * 2 - 1)
        samples.append(int(max(-1, min(1, value)) * 30000))
    return samples


def write(path, rate, tracks):
    with wave.open(path, "wb") as file:
        file.setnchannels(len(tracks))
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(struct.pack("<%dh" % len(tracks), *frame) for frame in zip(*tracks)))


def music(path, rate, seconds, channels):
    noise = random.Random("%d-%d" % (rate, channels))
    write(path, rate, [channel(rate, seconds, place, noise) for place in range(channels)])


def tour(path, rate, channels, turn):
    """Writes a file in which the channels play one after the other, each with its own tone."""
    count = int(rate * turn)
    tracks = [[0] * (count * channels) for _ in range(channels)]
    for place, track in enumerate(tracks):
        for index in range(count):
            edge = min(1, index / 1000, (count - index) / 1000)
            pitch = 330 + 110 * place
            track[place * count + index] = int(26000 * edge * math.sin(2 * math.pi * pitch * index / rate))
    write(path, rate, tracks)


def quiet(path, rate, channels):
    """Writes pink noise with a peak of 990 of 32,768, so that a louder sample reveals damage."""
    noise = random.Random("quiet-%d-%d" % (rate, channels))
    tracks = []
    for _ in range(channels):
        rows = [noise.random() - 0.5 for _ in range(12)]
        track = []
        for index in range(1, int(rate * 2.6)):
            # Voss's algorithm: each row changes half as often as the previous row.
            rows[min(11, (index & -index).bit_length() - 1)] = noise.random() - 0.5
            track.append(sum(rows) + noise.random() - 0.5)
        tracks.append(track)
    top = max(abs(value) for track in tracks for value in track)
    write(path, rate, [[round(value * 990 / top) for value in track] for track in tracks])


class Bits:
    def __init__(self):
        self.text = []

    def add(self, value, count):
        self.text.append(format(value, "0%db" % count))

    def bytes(self, count):
        text = "".join(self.text).ljust(8 * count, "0")
        assert len(text) == 8 * count, "the frame is too short for its samples"
        return int(text, 2).to_bytes(count, "big")


def checksum(bits):
    """CRC-16 of ISO 11172-3 2.4.3.1 over the last two header bytes and the allocation."""
    crc = 0xFFFF
    for bit in bits:
        out = (crc >> 15) ^ int(bit)
        crc = (crc << 1) & 0xFFFF ^ (0x8005 if out else 0)
    return crc


def layer1(path, frames, protected):
    """Writes Layer I at 192 kbit/s and 44.1 kHz. The subband samples are sines (ISO 11172-3 2.4.1.5)."""
    slots = 12 * 192000 // 44100
    rest = 12 * 192000 % 44100
    carry = 0
    with open(path, "wb") as file:
        for number in range(frames):
            carry += rest
            padding = carry >= 44100
            carry -= 44100 if padding else 0
            header = 0xFFFE << 16 | (0 if protected else 1) << 16 | 6 << 12 | (2 if padding else 0) << 8
            depth = [6 if band < 4 else 4 if band < 7 else 0 for band in range(32)]
            allocation = Bits()
            for bits in depth:
                for _ in range(2):
                    allocation.add(bits - 1 if bits else 0, 4)
            frame = Bits()
            frame.add(header, 32)
            if protected:
                frame.add(checksum(format(header & 0xFFFF, "016b") + "".join(allocation.text)), 16)
            frame.text += allocation.text
            for band, bits in enumerate(depth):
                for side in range(2):
                    if bits:
                        frame.add(8 + 2 * band + (number // 8 + side) % 6, 6)
            for sample in range(12):
                for band, bits in enumerate(depth):
                    for side in range(2):
                        if bits:
                            phase = (number * 12 + sample) * (0.31 + 0.17 * band + 0.05 * side)
                            half = 2 ** (bits - 1)
                            frame.add(int(half - 1 + 0.9 * (half - 1) * math.sin(phase)), bits)
            file.write(frame.bytes(4 * (slots + (1 if padding else 0))))


def sbr():
    """Returns a payload of SBR (ISO 14496-3 4.4.2.8): one envelope with one level, without a noise floor."""
    data = Bits()
    data.add(0b1101, 4)
    for value, count in [
        (1, 1), (0, 1), (5, 4), (9, 4), (0, 3 + 2 + 2),  # a header: resolution, first and last band
        (0, 1 + 2 + 2), (1, 1), (0, 2),  # one envelope, coded by frequency
        (0, 3 * 2), (34, 7),  # three noise bands without inverse filtering; the level, in steps of 1.5 dB
        (0, 80),  # equal bands, no noise floor, no sines
    ]:
        data.add(value, count)
    text = "".join(data.text)
    return text + "0" * (-len(text) % 8)


def with_sbr(aac):
    """Yields each frame with an added fill element for SBR before its end."""
    place = 0
    while place + 7 <= len(aac):
        size = (aac[place + 3] & 3) << 11 | aac[place + 4] << 3 | aac[place + 5] >> 5
        header, bits = bytearray(aac[place:place + 7]), "".join(format(b, "08b") for b in aac[place + 7:place + size])
        place += size
        end = bits.rindex("1") - 2  # ID_END
        payload = sbr()
        bits = bits[:end] + "110" + "1111" + format(len(payload) // 8 - 14, "08b") + payload + "111"
        count = (len(bits) + 7) // 8
        header[3] = header[3] & 0xFC | (count + 7) >> 11
        header[4] = (count + 7) >> 3 & 255
        header[5] = header[5] & 31 | (count + 7 & 7) << 5
        body = Bits()
        body.text = [bits]
        yield bytes(header) + body.bytes(count)


def main(folder):
    for rate, seconds, channels in [
        (44100, 2.5, 2), (44100, 2.0, 1), (48000, 2.0, 2), (22050, 2.5, 2), (16000, 2.0, 1), (16000, 2.0, 2),
        (8000, 3.0, 1),
    ]:
        music("%s/%d-%d.wav" % (folder, rate, channels), rate, seconds, channels)
    for channels in [4, 6, 8]:
        tour("%s/tour-%d.wav" % (folder, channels), 48000, channels, 0.25)
    for rate, channels in [(44100, 2), (48000, 2), (22050, 1)]:
        quiet("%s/quiet-%d.wav" % (folder, rate), rate, channels)
    layer1(folder + "/layer1.mp1", 115, protected=False)
    layer1(folder + "/layer1-crc.mp1", 40, protected=True)


if sys.argv[1] == "sbr":
    with open(sys.argv[2], "rb") as file:
        for frame in with_sbr(file.read()):
            sys.stdout.buffer.write(frame)
else:
    main(sys.argv[1])
