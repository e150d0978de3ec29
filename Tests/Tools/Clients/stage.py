"""A loopback station, and radios for real clients: Bakelite, which plays to a file, and MPD."""
import array
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import pathlib

ADDRESS = "10.9.0.1"  # of a simulated other machine
ROOT = pathlib.Path(__file__).resolve().parents[3]
SECOND = 44_100 * 4  # bytes of audio per second
failures = []


def check(holds, what):
    """Prints the result of a check, and records a failure."""
    print(("ok    " if holds else "FAILED ") + what, flush=True)
    if not holds:
        failures.append(what)


def wait_for(what, test, seconds=15):
    """Waits until a condition holds. A timeout is a failure."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if test():
                check(True, what)
                return True
        except (OSError, ValueError):
            pass
        time.sleep(0.05)
    check(False, what)
    return False


def skip(what, package):
    print(f"SKIPPED {what}: it is missing; install it with `{package}`.", flush=True)


def is_private(what, packages, *programs):
    """Enters new namespaces for processes, network and mounts. Prints a message and returns false if that is
    impossible."""
    if os.geteuid() != 0:
        print(f"SKIPPED {what}: it needs namespaces of its own; run it as root.", flush=True)
        return False
    if any(not shutil.which(name) for name in ("unshare", "ip", *programs)):
        skip(what, f"apt-get install iproute2 {packages}")
        return False
    if "BAKELITE_PRIVATE" not in os.environ:
        os.environ["BAKELITE_PRIVATE"] = "1"
        os.execvp("unshare", ["unshare", "-n", "-m", "-p", "-f", "--kill-child", "--mount-proc", sys.executable, *sys.argv])
    return True


def has_machine(what, *programs):
    """Enters new namespaces, with an address in a network, and with D-Bus and Avahi in /run. Prints a message and
    returns false if that is impossible."""
    packages = f"avahi-daemon avahi-utils dbus {' '.join(programs)}"
    if not is_private(what, packages, "avahi-daemon", "dbus-daemon", *programs):
        return False
    subprocess.run(
        "mount -t tmpfs none /run && mkdir /run/dbus /run/avahi-daemon && mount -t tmpfs none /etc/avahi/services"
        f" && ip link set lo up && ip link add one type veth peer name two && ip addr add {ADDRESS}/24 dev one"
        " && ip link set one up && ip link set two up && dbus-daemon --system --fork"
        " && avahi-daemon -D --no-rlimits --no-chroot", shell=True, check=True)
    return True


class Child:
    """A process with a log; it ends with the stage."""

    def __init__(self, command, log, **more):
        with open(log, "wb") as out:
            self.process = subprocess.Popen(
                [str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out, stderr=out, **more)
        self.log = log

    def text(self):
        return self.log.read_text(errors="replace")

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode


class Stage:
    """A temporary folder with all servers and radios."""

    def __init__(self, binary):
        self.binary = pathlib.Path(binary).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bakelite-"))
        self.children = []
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.child([self.binary, "station", ROOT / "config/demo", "--port", self.port, "--burst", 327_680], "station")
        self.mp3 = f"http://127.0.0.1:{self.port}/bakelite-demo.mp3"
        self.aac = f"http://127.0.0.1:{self.port}/bakelite-demo.aac"
        wait_for("the station is on the air", lambda: socket.create_connection(("127.0.0.1", self.port)).close() or True)

    def child(self, command, name, **more):
        child = Child(command, self.folder / f"{name}.log", **more)
        self.children.append(child)
        return child

    def close(self):
        for child in reversed(self.children):
            child.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Radio:
    """`bakelite play` with a control socket, which plays to a file in real time."""

    def __init__(self, stage, *places, listen=None, password=None):
        self.stage, self.places = stage, places or (stage.mp3, stage.aac)
        self.socket, self.sound = stage.folder / "socket", stage.folder / "sound"
        self.more = []
        if password:
            (stage.folder / "password").write_text(password + "\n")
            self.more = ["--listen", "127.0.0.1:0", "--password-file", stage.folder / "password"]
        self.start()

    def start(self):
        self.sound.write_bytes(b"")
        self.child = self.stage.child(
            [self.stage.binary, "play", "--output", f"raw:{self.sound}", "--format", "s16le/44100/2", "--control",
             self.socket, *self.more, *self.places], "radio")
        wait_for("the radio plays", lambda: "Playing after" in self.child.text() and self.count() > 0)

    @property
    def port(self):
        return int(self.child.text().split("Serving control at port ")[1].split()[0])

    def restart(self):
        check(self.child.end(signal.SIGINT) == 0, "the radio ends with code 0")
        self.start()

    def count(self):
        """Number of audio bytes so far."""
        return os.stat(self.sound).st_size

    def is_heard(self, seconds=0.5):
        """Returns true if non-silent audio is being written."""
        before = self.count()
        time.sleep(seconds)
        with open(self.sound, "rb") as file:
            file.seek(before - before % 4)
            new = file.read()
        return len(new) > SECOND * seconds / 4 and self.level(new) > 50

    def is_quiet(self, seconds=0.5):
        """Returns true if nothing or silence is being written."""
        before = self.count()
        time.sleep(seconds)
        with open(self.sound, "rb") as file:
            file.seek(before - before % 4)
            new = file.read()
        return len(new) == 0 or self.level(new) == 0

    @staticmethod
    def level(pcm):
        """Returns the mean absolute sample value."""
        samples = array.array("h", pcm[:len(pcm) // 2 * 2])
        return sum(abs(s) for s in samples) / len(samples) if samples else 0

    def loudness(self, seconds=0.7):
        before = self.count()
        time.sleep(seconds)
        with open(self.sound, "rb") as file:
            file.seek(before - before % 4)
            return self.level(file.read())


def stations(stage):
    """Returns six stations for a directory, three of them playable: name, address, genres, country, country code,
    votes. No address is a preset's: a preset's name would replace the station's."""
    mp3, aac = (address.replace("127.0.0.1", "localhost") for address in (stage.mp3, stage.aac))
    return [
        ("Kitchen FM", mp3, ["Jazz", "Pop"], "Germany", "DE", 900),
        ("Nachtjazz", aac, ["Jazz"], "Germany", "DE", 800),
        ("Café Müller", stage.mp3 + "?cafe", ["Jazz", "Classic rock"], "Germany", "DE", 700),
        ("Paris Jazz", "http://127.0.0.1:1/paris", ["Jazz"], "France", "FR", 600),
        ("Paris News", "http://127.0.0.1:1/news", ["News"], "France", "FR", 500),
        ("Nowhere", "http://127.0.0.1:1/nowhere", [], "", "", 400),
    ]


def write_directory(stage, path):
    """Creates a station directory with these stations. Returns true on success."""
    maker = stage.binary.with_name("DirectoryBench")
    if not maker.exists():
        return False
    columns = "name,url,tags,country,countrycode,votes,lastcheckok"
    text = "".join(f'{name},{url},"{",".join(genres)}",{country},{code},{votes},1\n'
                   for name, url, genres, country, code, votes in stations(stage))
    (stage.folder / "list.csv").write_text(columns + "\n" + text)
    # Only a directory with a local source may contain local addresses.
    subprocess.run([maker, "build", stage.folder / "list.csv", path, "http://127.0.0.1/"], check=True,
                   stdout=subprocess.DEVNULL)
    return True


class Box:
    """`bakelited` with the presets One and Two and a small station directory; its output is discarded or goes to a
    sink."""

    def __init__(self, stage, output="null", control="", settings=""):
        self.output = output
        self.stage, self.folder = stage, stage.folder / "box"
        self.folder.mkdir(exist_ok=True)
        self.socket = self.folder / "socket"
        self.has_directory = write_directory(stage, self.folder / "directory")
        (self.folder / "bakelite.toml").write_text(
            f'[state]\npath = "{self.folder}"\n[control]\nsocket = "{self.socket}"\n{control}'
            f'[directory]\npath = "{self.folder}/directory"\n{settings}')
        (self.folder / "stations.toml").write_text(
            f'[[station]]\nname = "One"\nurl = "{stage.mp3}"\n\n[[station]]\nname = "Two"\nurl = "{stage.aac}"\n')
        self.start()

    def start(self):
        self.child = self.stage.child(
            [self.stage.binary.with_name("bakelited"), "--config", self.folder / "bakelite.toml", "--boards",
             ROOT / "boards", "--output", self.output], "box")
        wait_for("the box plays", lambda: self.value("state") == "play")

    def restart(self):
        check(self.child.end() == 0, "the box ends with code 0")
        self.start()

    def value(self, key):
        return dict(line.split(": ", 1) for line in Wire(self.socket).ask("status") if ": " in line).get(key)

    def names(self, command):
        """Returns the names of the stations in a response."""
        return [line[6:] for line in Wire(self.socket).ask(command) if line.startswith("Name: ")]


def write_music(stage, folder):
    """Writes the same stations as files in folders, with ID3v2.3 tags."""
    def frame(name, text):
        data = b"\x01" + text.encode("utf-16")
        return name.encode() + len(data).to_bytes(4, "big") + b"\0\0" + data

    sound = (ROOT / "config/demo/bakelite-demo.mp3").read_bytes()[:50_000]
    for name, _, genres, country, *_ in stations(stage):
        place = folder / "Radio" / (country or "Nowhere") / (genres[0] if genres else "None")
        place.mkdir(parents=True, exist_ok=True)
        frames = frame("TIT2", name) + (frame("TPE1", country) if country else b"")
        frames += frame("TCON", "\0".join(genres)) if genres else b""
        size = bytes(len(frames) >> shift & 127 for shift in (21, 14, 7, 0))
        (place / f"{name}.mp3").write_bytes(b"ID3\3\0\0" + size + frames + sound)


class Mpd:
    """A real MPD with its null output and a stored playlist with the two stations. It has no database, or the
    directory's stations as files."""

    def __init__(self, stage, has_database=False):
        name = "mpd-database" if has_database else "mpd"
        self.socket = stage.folder / f"{name}-socket"
        conf = stage.folder / f"{name}.conf"
        (stage.folder / "playlists").mkdir(exist_ok=True)
        (stage.folder / "playlists/Presets.m3u").write_text(f"{stage.mp3}\n{stage.aac}\n")
        database = ""
        if has_database:
            write_music(stage, stage.folder / "music")
            database = f'music_directory "{stage.folder}/music"\ndb_file "{stage.folder}/database"\n'
        conf.write_text(
            f'{database}playlist_directory "{stage.folder}/playlists"\nbind_to_address "{self.socket}"\n'
            f'log_file "{stage.folder}/{name}-own.log"\nzeroconf_enabled "no"\n'
            'input {\nplugin "curl"\n}\naudio_output {\ntype "null"\nname "null"\nmixer_type "null"\n}\n')
        stage.child(["mpd", "--no-daemon", conf], name)
        wait_for("MPD is up", self.socket.exists)
        if has_database:
            wait_for("MPD has its database", lambda: "songs: 6" in Wire(self.socket).ask("stats"))


class Wire:
    """A plain connection for commands and responses."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(5)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")
        self.greeting = self.file.readline()

    def ask(self, command):
        """Returns the lines of a response including the last; ["HANG UP"] if the connection was closed."""
        try:
            self.socket.sendall(command.encode() + b"\n")
            lines = []
            while True:
                line = self.file.readline()
                if not line:
                    return lines + ["HANG UP"]
                lines.append(line.decode().rstrip("\n"))
                if lines[-1] == "OK" or lines[-1].startswith("ACK "):
                    return lines
        except OSError:
            return ["HANG UP"]


def finish():
    """Exits with 1 if a check failed."""
    if failures:
        print(f"{len(failures)} failed:\n  " + "\n  ".join(failures))
    sys.exit(1 if failures else 0)


def run(drive):
    """Runs a script on a stage for the given program and prints the result."""
    stage = Stage(sys.argv[1])
    try:
        drive(stage)
    finally:
        stage.close()
    finish()
