"""Runs liquidsoap, which plays pieces one after the other and encodes them for three mounts, and records a mount."""
import array
import subprocess
import threading
import urllib.request

from icecast import PASSWORD
from links import ARTIST, CODECS, pages, pcm, title

ENCODERS = {"vorbis": "%vorbis(quality=0.5)", "opus": "%opus(samplerate=48000, bitrate=112)",
            "flac": "%ogg(%flac(bits_per_sample=16))"}


def start(run, port, programme):
    """Starts liquidsoap with the mounts `liquidsoap-CODEC`, each with all pieces."""
    lines = [f'annotate:title="{title(index)}",artist="{ARTIST}":{programme.wav(index)}'
             for index in range(programme.count)]
    (run / "pieces.m3u").write_text("\n".join(lines) + "\n")
    outputs = [f'output.icecast({encoder}, host="127.0.0.1", port={port}, password="{PASSWORD}",'
               f' mount="liquidsoap-{codec}", fallible=true, pieces)' for codec, encoder in ENCODERS.items()]
    (run / "pieces.liq").write_text("\n".join([
        "settings.init.allow_root.set(true)", "settings.log.file.set(false)", "settings.log.stdout.set(true)",
        f'pieces = playlist(mode="normal", loop=false, reload_mode="never", "{run}/pieces.m3u")', *outputs]) + "\n")
    with open(run / "liquidsoap.log", "wb") as log:
        return subprocess.Popen(["liquidsoap", run / "pieces.liq"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)


class Capture:
    """A listener that records the stream: the expected audio depends on liquidsoap's computation and on dropped
    frames."""

    def __init__(self, run, codec, url):
        self.codec, self.is_over = codec, False
        self.ogg, self.wav = run / f"captured-{codec}.ogg", run / f"captured-{codec}.wav"
        self.answer = urllib.request.urlopen(url, timeout=10)
        self.thread = threading.Thread(target=self.keep, daemon=True)
        self.thread.start()

    def keep(self):
        with open(self.ogg, "wb") as file:
            while not self.is_over and (data := self.answer.read(4096)):
                file.write(data)

    def end(self):
        self.is_over = True
        self.thread.join(10)

    def sound(self):
        """Returns the audio decoded by the library's own tool. FLAC's tool does not support chains and decodes each
        link separately."""
        whole, data = array.array("h"), self.ogg.read_bytes()
        for link in links(data) if self.codec == "flac" else [data]:
            self.ogg.write_bytes(link)
            command = CODECS[self.codec][2] or ["flac", "-s", "-d", "-F", "-f", "-o", "{pcm}", "{ogg}"]
            subprocess.run([word.format(ogg=self.ogg, pcm=self.wav) for word in command], check=True,
                           stderr=subprocess.DEVNULL)
            whole.extend(pcm(self.wav)[0])
        return whole


def links(data):
    """Splits a chain into its links."""
    found = []
    for page, _ in pages(data[:data.rindex(b"OggS")]):
        if page[5] & 2:
            found.append(bytearray())
        found[-1] += page
    return found
