"""Bakelite and MPD as child processes. Each plays one address to the card "dac" or to its own null output."""
import os
import shutil
import signal
import socket
import subprocess

from icecast import wait_for

GRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]


class Player:
    """`folder`: the player's own folder. `card`: None for the null output."""

    def __init__(self, folder, card, prefix=(), trusts=None):
        folder.mkdir()
        self.folder, self.card, self.prefix = folder, card, list(prefix)
        self.environment = card.environment() if card else dict(os.environ)
        if trusts:
            self.environment["SSL_CERT_FILE"] = str(trusts)
        self.trusts, self.process = trusts, None

    def spawn(self, command):
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                self.prefix + [str(c) for c in command], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)

    @property
    def pid(self):
        return self.process.pid

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def end(self):
        if self.card:
            self.card.expect_end()
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Bakelite(Player):
    """A process for each station, without preparation. `drift` and `mp3` are None for the program's defaults."""

    def __init__(self, binary, *rest, drift="off", mp3=None, **more):
        super().__init__(*rest, **more)
        self.binary = binary
        self.options = (["--drift", drift] if drift else []) + (["--mp3-decoder", mp3] if mp3 else [])

    def ready(self):
        pass

    def play(self, url):
        output = "alsa:dac" if self.card else "null"
        self.spawn([self.binary, "play", *self.options, "--output", output, url])


class MPD(Player):
    """The daemon starts first, as on a box; `play` sends clients' commands."""

    def ready(self):
        output = 'type "alsa"\nname "a"\ndevice "dac"' if self.card else 'type "null"\nname "n"\nsync "yes"'
        trust = f'input {{\nplugin "curl"\ncacert "{self.trusts}"\n}}\n' if self.trusts else ""
        (self.folder / "mpd.conf").write_text(
            f'bind_to_address "{self.folder}/socket"\nlog_file "{self.folder}/mpd.log"\nzeroconf_enabled "no"\n'
            f'{trust}audio_output {{\n{output}\nmixer_type "none"\n}}\n')
        self.spawn(["mpd", "--no-daemon", self.folder / "mpd.conf"])
        wait_for("MPD", lambda: (self.folder / "socket").exists(), 60)

    def play(self, url):
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(str(self.folder / "socket"))
            s.sendall(f'add "{url}"\nplay\nclose\n'.encode())
            answer = b"".join(iter(lambda: s.recv(4096), b""))
        if b"ACK" in answer:
            raise SystemExit(f"MPD: {answer.decode(errors='replace')}")


def stripped(binary, folder):
    """Returns a copy without debugging information, some of which valgrind cannot read."""
    copy = folder / "bakelite"
    shutil.copy(binary, copy)
    subprocess.run(["strip", "--strip-debug", copy], check=True)
    return copy
