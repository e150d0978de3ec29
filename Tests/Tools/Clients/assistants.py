#!/usr/bin/env python3
"""Controls a box like Music Assistant's player provider and Home Assistant's MPD integration: their commands, in order.

assistants.py BAKELITE

Both use python-mpd2's asyncio client. The script replaces Music Assistant's server, which sends each track once, in
chunks or until it closes, without a length. Formats: MP3 and ADTS; WAV and FLAC with 16 bits at 44.1 kHz (`cd`) or 24
bits at 96 kHz (`hires`), without a length in their headers.
"""
import asyncio
import functools
import http.server
import itertools
import math
import shutil
import struct
import subprocess
import sys
import threading
import time

from stage import ROOT, Box, Stage, check, finish, skip

NUMBERS = itertools.count(1)
RATE = {"mp3": 16_000, "aac": 12_420}  # bytes of the demo piece a second
TYPE = {"mp3": "audio/mpeg", "aac": "audio/aac", "wav": "audio/wav", "flac": "audio/flac"}
PLAIN = {"cd": (44_100, 16), "hires": (96_000, 24)}  # Hz, bits
# The options of Music Assistant's aiohttp client, independent of the profile.
MEDIA = {
    "Server": "Music Assistant", "transferMode.dlna.org": "Streaming",
    "contentFeatures.dlna.org": "DLNA.ORG_OP=00;DLNA.ORG_FLAGS=01700000000000000000000000000000",
    "Cache-Control": "no-cache", "Pragma": "no-cache", "Connection": "close",
}


@functools.cache
def plain_sound(words, seconds):
    """Returns two channels of tones as little-endian PCM."""
    rate, bits = PLAIN[words]
    top = 2 ** (bits - 3)
    second = b"".join(
        int(top * math.sin(2 * math.pi * tone * at / rate)).to_bytes(bits // 8, "little", signed=True)
        for at in range(rate) for tone in (441, 660))
    return second * int(seconds)


def sound_of(words, kind):
    """Returns a track's bytes, and its bytes per second."""
    words = words.split("-")
    seconds = next(float(word[:-1]) for word in words if word[0].isdigit())
    return made(kind, next((word for word in words if word in PLAIN), None), seconds)


@functools.cache
def made(kind, words, seconds):
    if kind in RATE:
        return (ROOT / f"config/demo/bakelite-demo.{kind}").read_bytes()[:int(seconds * RATE[kind])], RATE[kind]
    (rate, bits), pcm = PLAIN[words], plain_sound(words, seconds)
    if kind == "wav":
        # ffmpeg writes to a pipe without knowing the length.
        format = struct.pack("<HHIIHH", 1, 2, rate, rate * bits // 4, bits // 4, bits)
        endless = b"\xff" * 4
        sound = b"RIFF" + endless + b"WAVEfmt " + struct.pack("<I", len(format)) + format + b"data" + endless + pcm
    else:
        sound = subprocess.run(
            ["flac", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2",
             f"--bps={bits}", f"--sample-rate={rate}", "-"], input=pcm, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=True).stdout
        check(sound[21] & 15 == 0 and sound[22:26] == bytes(4), "its header tells no length")
    return sound, len(sound) / seconds


class Tracks(http.server.ThreadingHTTPServer):
    """Serves `/WORDS/NUMBER.KIND` once; later requests are refused."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Track)
        self.requests = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, words, kind):
        sound_of(words, kind)  # takes a while
        return f"http://127.0.0.1:{self.server_address[1]}/{words}/{next(NUMBERS)}.{kind}"

    def asked(self, url):
        """Returns the methods of all requests for an address."""
        return [method for method, path in self.requests if url.endswith(path)]


class Track(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.server.requests.append(("HEAD", self.path))
        self.send_error(405)

    def do_GET(self):
        isNew = ("GET", self.path) not in self.server.requests
        self.server.requests.append(("GET", self.path))
        self.close_connection = True
        if isNew:
            try:
                self.answer(self.path.split("/")[1], self.path.rpartition(".")[2])
            except OSError:
                pass

    def answer(self, words, kind):
        sound, rate = sound_of(words, kind)
        words = words.split("-")
        headers = dict(MEDIA) if "media" in words else {"Connection": "close"}
        headers["Content-Type"] = TYPE[kind]
        if "icy" in words:
            headers["icy-name"] = "A song"
        if "titles" in words and self.headers.get("Icy-MetaData") == "1":
            headers["icy-metaint"] = "16384"
            block = b"StreamTitle='Nina Simone - Feeling Good';"
            block = bytes([-(-len(block) // 16)]) + block + bytes(-len(block) % 16)
            pieces = [sound[at:at + 16_384] for at in range(0, len(sound), 16_384)]
            sound = b"".join(piece + (block if len(piece) == 16_384 else b"") for piece in pieces)
        if "chunked" in words:
            headers["Transfer-Encoding"] = "chunked"
        self.send_response_only(200)
        for pair in headers.items():
            self.send_header(*pair)
        self.end_headers()
        start = time.monotonic()
        for at in range(0, len(sound), 8_192):
            piece = sound[at:at + 8_192]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if "chunked" in words else piece)
            # Like `ffmpeg -readrate 1.1`, three seconds ahead.
            if "paced" in words:
                time.sleep(max(0, start + (at / rate - 3) / 1.1 - time.monotonic()))
        if "chunked" in words:
            self.wfile.write(b"0\r\n\r\n")


class MusicAssistant:
    """A player of Music Assistant: a connection for commands, and an idle connection."""

    def __init__(self, socket):
        self.socket, self.changes = str(socket), []

    async def __aenter__(self):
        from mpd.asyncio import MPDClient
        self.client, self.waiter = MPDClient(), MPDClient()
        for client in (self.client, self.waiter):
            await client.connect(self.socket)
        await self.client.status()
        self.task = asyncio.create_task(self.listen())
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        for client in (self.client, self.waiter):
            client.disconnect()

    async def listen(self):
        async for changes in self.waiter.idle():
            self.changes += changes

    async def play(self, url):
        await self.client.clear()
        await self.client.add(url)
        await self.client.play(0)

    async def status(self):
        return await self.client.status()

    async def reaches(self, what, test, seconds=15):
        """Polls until a condition holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if test(status := await self.status()):
                return check(True, what)
            await asyncio.sleep(0.1)
        check(False, f"{what}: {status}")


def is_at(seconds):
    return lambda status: status["state"] == "play" and float(status.get("elapsed", 0)) > seconds


def tracks_of_music_assistant():
    """Yields words and kind of each track to be played to its end."""
    ways = ["media-icy-chunked", "media-icy", "media-icy-titles-chunked", "media-icy-chunked-paced", "chunked", "plain"]
    yield from itertools.product(ways, ("mp3", "aac"))
    for way, sound, kind in itertools.product(ways, PLAIN, plain_kinds()):
        yield f"{way}-{sound}", kind


def plain_kinds():
    return [kind for kind in ("wav", "flac") if kind == "wav" or shutil.which("flac")]


async def play_to_its_end(assistant, tracks, words, kind):
    url = tracks.url(f"4s-{words}", kind)
    assistant.changes.clear()
    start = time.monotonic()
    await assistant.play(url)
    await assistant.reaches(f"{words}, {kind}: it plays", is_at(0.5))
    status = await assistant.status()
    check(status["song"] == "0" and status["playlistlength"] == "1" and "volume" in status, "it is the only song")
    length = float(status.get("duration", 4))
    check(not words.startswith("media") or abs(length - 4) < 0.2, f"its length is not known, or right: {length}")
    await assistant.reaches("it ends", lambda status: status["state"] == "stop")
    took = time.monotonic() - start
    check(3.5 < took < 7.5 and "error" not in await assistant.status(), f"after its sound: {took:.1f} s")
    await asyncio.sleep(0.3)
    check("player" in assistant.changes and "playlist" in assistant.changes, "which idle told")
    check(tracks.asked(url) == ["GET"], f"it was asked for once: {tracks.asked(url)}")


async def drive_in_midst(assistant, tracks, first, second):
    """Plays a long track: pause, seek, volume, and the next track."""
    from mpd import CommandError
    await assistant.play(first)
    await assistant.reaches(f"a long track plays: {first}", is_at(1))
    await assistant.client.pause(1)
    await asyncio.sleep(0.5)
    paused = await assistant.status()
    await asyncio.sleep(1)
    check(paused["state"] == "pause" and (await assistant.status())["elapsed"] == paused["elapsed"], "it pauses")
    await assistant.client.seekcur(8)
    check(abs(float((await assistant.status())["elapsed"]) - 8) < 0.2, "it goes to a place that is held")
    try:
        await assistant.client.seekcur(300)
        check(False, "a place that is not held is refused")
    except CommandError as error:
        check("Not seekable" in str(error), "a place that is not held is refused")
    await assistant.client.pause(0)
    await assistant.reaches("it goes on there", is_at(8.5))
    await assistant.client.setvol(23)
    check((await assistant.status())["volume"] == "23", "setvol")
    await assistant.play(second)
    await assistant.reaches("the next track takes its place",
                            lambda status: is_at(0.5)(status) and float(status["elapsed"]) < 5)
    check(tracks.asked(second) == ["GET"], "which was asked for once")
    await assistant.client.stop()
    check((await assistant.status())["state"] == "stop", "stop")
    await assistant.client.setvol(100)


async def drive_music_assistant(box, tracks):
    async with MusicAssistant(box.socket) as assistant:
        for words, kind in tracks_of_music_assistant():
            await play_to_its_end(assistant, tracks, words, kind)
        pairs = [("media-icy-chunked", "mp3"), ("media-icy-chunked", "aac")]
        pairs += [(f"media-icy-chunked-{sound}", kind) for sound in PLAIN for kind in plain_kinds()]
        long = [(f"60s-{words}", kind) for words, kind in pairs]
        for first, second in zip(long, long[1:] + long[:1]):
            await drive_in_midst(assistant, tracks, tracks.url(*first), tracks.url(*second))
    check(box.names("listplaylistinfo Presets") == ["One", "Two"], "the presets are there")


async def drive_home_assistant(box, tracks):
    """Controls the box like Home Assistant, which polls and does not idle. A source is a stored playlist; all other
    media are addresses."""
    from mpd import CommandError, FailureResponseCode
    from mpd.asyncio import MPDClient
    client = MPDClient()
    await client.connect(str(box.socket))
    commands = list(await client.commands())

    async def poll():
        status, song = await client.status(), await client.currentsong()
        return status, song, [playlist["playlist"] for playlist in await client.listplaylists()]

    async def plays(name):
        end = time.monotonic() + 15
        while time.monotonic() < end:
            status, song, _ = await poll()
            if status["state"] == "play" and song.get("name") == name and float(status.get("elapsed", 0)) > 0.2:
                return check(True, f"it plays {name}")
            await asyncio.sleep(0.1)
        check(False, f"it plays {name}: {status} {song}")

    check((await poll())[2] == ["Presets", "One", "Two"], "it lists the stations as sources")
    for source, name in (("Two", "Two"), ("Presets", "One")):
        await client.clear()
        await client.load(source)
        await client.play()
        await plays(name)
    await client.next()
    await plays("Two")
    await client.previous()
    await plays("One")
    status, song, _ = await poll()
    check(int(status["volume"]) == 100 and status["time"].count(":") == 1 and "file" in song, "what it shows is there")
    check({"readpicture", "albumart"} <= set(commands) and not await client.readpicture(song["file"]), "no picture")
    try:
        await client.albumart(song["file"])
        check(False, "no cover")
    except CommandError as error:
        check(error.errno is FailureResponseCode.NO_EXIST, "no cover, which it takes for an answer")
    await client.pause(1)
    check((await poll())[0]["state"] == "pause", "pause")
    await client.pause(0)
    for volume in (0, 41):
        await client.setvol(volume)
        check((await poll())[0]["volume"] == str(volume), f"volume {volume}")
    for repeat, single, random in ((1, 1, 1), (1, 0, 0), (0, 0, 0)):
        await client.repeat(repeat)
        await client.single(single)
        await client.random(random)
        status, _, _ = await poll()
        check([status[key] for key in ("repeat", "single", "random")] == [str(repeat), str(single), str(random)], "options")
    # Home Assistant's speech service sends no length either.
    speech = tracks.url("4s-chunked", "mp3")
    await client.clear()
    await client.add(speech)
    await client.play()
    end = time.monotonic() + 12
    while (await client.status())["state"] != "stop" and time.monotonic() < end:
        await asyncio.sleep(0.1)
    check((await client.status())["state"] == "stop" and tracks.asked(speech) == ["GET"], "an announcement is heard once")
    await client.play()
    await client.stop()
    await client.clear()
    check((await poll())[0]["playlistlength"] == "0", "clear")
    await client.setvol(100)
    client.disconnect()
    check(box.names("listplaylistinfo Presets") == ["One", "Two"], "the presets are there")


def main():
    try:
        import mpd.asyncio  # noqa: F401
    except ImportError:
        return skip("Music Assistant and Home Assistant", "pip install python-mpd2")
    if "flac" not in plain_kinds():
        skip("tracks of FLAC", "apt-get install flac")
    stage = Stage(sys.argv[1])
    try:
        box, tracks = Box(stage), Tracks()
        print("== Music Assistant's commands")
        asyncio.run(drive_music_assistant(box, tracks))
        print("== Home Assistant's commands")
        asyncio.run(drive_home_assistant(box, tracks))
    finally:
        stage.close()
    finish()


if __name__ == "__main__":
    main()
