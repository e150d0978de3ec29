"""A programme of generated pieces: each is an Ogg file with its own title. A source client sends them end to end."""
import array
import base64
import functools
import math
import multiprocessing
import operator
import random
import signal
import socket
import subprocess
import sys
import time
import wave

from icecast import PASSWORD

ARTIST = "The Bench Chords"
RATE, LENGTH = 44100, 20  # seconds of a piece; its last second is incomplete
# codec: sample rate, encoding command, decoding command of the library's own tool; FLAC is lossless
CODECS = {
    "vorbis": (44100, ["oggenc", "-Q", "-q", "5", "-s", "{serial}", "-t", "{title}", "-a", ARTIST, "-o", "{ogg}",
                       "{wav}"],
               ["oggdec", "-Q", "-o", "{pcm}", "{ogg}"]),
    "opus": (48000, ["opusenc", "--quiet", "--bitrate", "112", "--serial", "{serial}", "--title", "{title}", "--artist",
                     ARTIST, "{wav}", "{ogg}"],
             ["opusdec", "--quiet", "--no-dither", "--rate", "48000", "{ogg}", "{pcm}"]),
    "flac": (44100, ["flac", "-s", "--ogg", "--serial-number={serial}", "-T", "TITLE={title}", "-T", f"ARTIST={ARTIST}",
                     "-o", "{ogg}", "{wav}"], None),
}


def title(index):
    return f"Piece {index + 1} – Übung"


@functools.cache
def note(number):
    """Returns a second of a tone. 24 tones rise from 220 Hz by a semitone each."""
    step = 2 * math.pi * 220 * 2 ** (number / 12) / RATE
    return array.array("h", (int(3000 * math.sin(step * at)) for at in range(RATE)))


def compose(path, index, length):
    """Writes a WAV file with a chord for each second and noise for each channel, from the piece's number: all packets
    differ. Ends inside a packet."""
    chance = random.Random(index)
    frames = RATE * (length - 1) + chance.randrange(1, RATE)
    notes = array.array("h")
    while len(notes) < frames:
        chord = [note(number) for number in chance.sample(range(24), 3)]
        notes.extend(map(operator.add, map(operator.add, *chord[:2]), chord[2]))
    sound = array.array("h", bytes(4 * frames))
    for channel in (0, 1):
        noise = array.array("b", chance.randbytes(frames))
        sound[channel::2] = array.array("h", map(operator.add, notes[:frames], noise))
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes(sound.tobytes())


def pcm(path):
    """Returns the samples, rate and channels of a 16-bit WAV file."""
    with wave.open(str(path), "rb") as file:
        if file.getsampwidth() != 2:
            sys.exit(f"{path} has {8 * file.getsampwidth()} bits")
        return array.array("h", file.readframes(file.getnframes())), (file.getframerate(), file.getnchannels())


def pages(data):
    """Returns the pages of an Ogg file with their granule positions."""
    at = 0
    while at < len(data):
        if data[at:at + 4] != b"OggS":
            sys.exit("an encoder's output is not Ogg")
        count = data[at + 26]
        size = 27 + count + sum(data[at + 27:at + 27 + count])
        yield data[at:at + size], int.from_bytes(data[at + 6:at + 14], "little", signed=True)
        at += size


class Programme:
    """The pieces in one folder; `encode` and `sound` are for one codec each."""

    def __init__(self, folder, seconds, length=LENGTH):
        self.folder = folder
        self.count = -(-int(seconds) // (length - 1))
        folder.mkdir()
        with multiprocessing.Pool() as pool:
            pool.starmap(compose, [(self.wav(index), index, length) for index in range(self.count)])

    @property
    def titles(self):
        return [f"{ARTIST} - {title(index)}" for index in range(self.count)]

    def wav(self, index):
        return self.folder / f"{index}.wav"

    def file(self, codec, index):
        return self.folder / f"{index}.{codec}.ogg"

    def starts(self):
        """Returns the start of each piece in seconds."""
        found = [0.0]
        for index in range(self.count):
            with wave.open(str(self.wav(index)), "rb") as file:
                found.append(found[-1] + file.getnframes() / RATE)
        return found[:-1]

    def run(self, command, codec, index):
        words = dict(wav=self.wav(index), ogg=self.file(codec, index), pcm=self.folder / f"{codec}.pcm.wav",
                     serial=7_000 + index, title=title(index))
        subprocess.run([word.format(**words) for word in command], check=True, stderr=subprocess.DEVNULL)
        return words["pcm"]

    def encode(self, codec):
        for index in range(self.count):
            self.run(CODECS[codec][1], codec, index)

    def sound(self, codec):
        """Returns the audio of all pieces, decoded by the library's own tool, and the start of each piece in
        seconds."""
        whole, starts, (rate, _, decoder) = array.array("h"), [], CODECS[codec]
        for index in range(self.count):
            starts.append(len(whole) / 2 / rate)
            whole.extend(pcm(self.run(decoder, codec, index) if decoder else self.wav(index))[0])
        return whole, starts

    def feed(self, port, mount, codec):
        """Starts a source client that sends all pieces in real time; the process ends with them."""
        feeder = multiprocessing.Process(target=send, args=(port, mount, self, codec), daemon=True)
        feeder.start()
        return feeder

    def schedule(self, codec):
        """Returns all pages, with the second at which an encoder would have created each."""
        start, rate = 0.0, CODECS[codec][0]
        for index in range(self.count):
            second = start
            for page, granule in pages(self.file(codec, index).read_bytes()):
                if granule > 0:
                    second = start + granule / rate
                yield page, second
            start = second


def send(port, mount, programme, codec):
    """Speaks Icecast's source protocol since 2.4: PUT, and data after the server's permission."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.create_connection(("127.0.0.1", port)) as server:
        credentials = base64.b64encode(f"source:{PASSWORD}".encode()).decode()
        server.sendall(f"PUT /{mount} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Basic {credentials}\r\n"
                       f"User-Agent: bench\r\nContent-Type: application/ogg\r\nIce-Public: 0\r\nIce-Name: {mount}\r\n"
                       "Expect: 100-continue\r\n\r\n".encode())
        if b" 100 " not in server.recv(4096).split(b"\r\n")[0]:
            sys.exit(f"Icecast refused the mount {mount}")
        began = time.monotonic()
        for page, second in programme.schedule(codec):
            time.sleep(max(0.0, began + second - time.monotonic()))
            server.sendall(page)
