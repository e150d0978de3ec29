#!/usr/bin/env python3
"""Cuts the power of a box repeatedly during its writes. The box must play again, without a loss of stored data.

cuts.py BAKELITE BAKELITED [ROUNDS] [SEED]     as root; default: 1000 rounds

The box has its state, stations and recordings on an ext4 in a file. A cut is an instant copy of this file (a reflink on
XFS, so that writes are not torn), and kill -9. Data that the kernel has not yet written is lost, as on a memory card.
The next round starts with the copy.
"""
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Clients"))
from stage import ROOT, Stage, Wire

LAP = (ROOT / "config/demo/bakelite-demo.mp3").read_bytes()
RATE = 16_000  # bytes a second
SYNCED = 2.5  # maximum seconds of a recording that are not yet on the disk


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more).stdout


class Disk:
    """An ext4 in a file on a small XFS, which supports instant copies."""

    def __init__(self, folder):
        self.host, self.data = folder / "host", folder / "data"
        self.host.mkdir()
        self.data.mkdir()
        with open(folder / "host.img", "wb") as file:
            file.truncate(1 << 30)
        run("mkfs.xfs", "-q", folder / "host.img")
        run("mount", "-o", "loop", folder / "host.img", self.host)
        self.image, self.number = self.host / "0.img", 0
        with open(self.image, "wb") as file:
            file.truncate(128 << 20)
        run("mke2fs", "-q", "-t", "ext4", self.image)
        self.mount()

    def mount(self):
        run("mount", "-o", "loop,noatime", self.image, self.data)

    def unmount(self):
        run("umount", self.data)

    def copy(self):
        """Copies the current content of the disk."""
        self.number += 1
        image = self.host / f"{self.number}.img"
        run("cp", "--reflink=always", self.image, image)
        return image

    def use(self, image):
        self.unmount()
        self.image.unlink()
        self.image = image
        self.mount()

    def check(self):
        """Checks that the mount replayed the journal, and that fsck finds no faults."""
        self.unmount()
        answer = subprocess.run(["e2fsck", "-fn", self.image], capture_output=True, text=True)
        self.mount()
        return answer.returncode == 0, answer.stdout

    def close(self):
        subprocess.run(["umount", self.data])
        # The loop device releases the image a moment later.
        subprocess.run(["umount", "--lazy", self.host])


class Box:
    """A radio with its files on the disk that loses power."""

    def __init__(self, stage, disk, bakelite, bakelited):
        self.stage, self.bakelite, self.bakelited = stage, bakelite, bakelited
        self.data, self.socket = disk.data, stage.folder / "socket"
        self.list, self.process = disk.data / "stations.toml", None
        (stage.folder / "bakelite.toml").write_text(
            f'[state]\npath = "{self.data}"\n[control]\nsocket = "{self.socket}"\n'
            f'[recording]\npath = "{self.data}/recordings"\nfloor_mib = 1\n')
        self.list.write_text("\n".join(
            f'[[station]]\nname = "Station {n}"\nurl = "{stage.mp3}?{n}"\ndrift = false\n' for n in range(8)))
        run("sync")

    def start(self):
        """-> seconds until playback"""
        began = time.monotonic()
        self.log = open(self.stage.folder / "box.log", "ab")
        self.process = subprocess.Popen(
            [self.bakelited, "--config", self.stage.folder / "bakelite.toml", "--stations", self.list, "--boards",
             ROOT / "boards", "--output", "null"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        while time.monotonic() < began + 20:
            if self.process.poll() is not None:
                raise SystemExit(f"The box ended with code {self.process.returncode}: {self.said()}")
            try:
                self.wire = Wire(self.socket)
                while time.monotonic() < began + 20:
                    if "state: playing" in self.wire.ask("radio_status"):
                        return time.monotonic() - began
                    time.sleep(0.01)
            except OSError:
                time.sleep(0.01)
        raise SystemExit(f"The box does not play within 20 s: {self.said()}")

    def said(self):
        return (self.stage.folder / "box.log").read_text()[-2_000:]

    def address(self):
        return self.wire.ask("currentsong")[0].removeprefix("file: ")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def names(self):
        told = run(self.bakelite, "stations", "list", "--json", "--stations", self.list)
        return [json.loads(line)["name"] for line in told.splitlines()]

    def recordings(self):
        return sorted((self.data / "recordings").glob("*.mp3"))


def stalled():
    """Returns the seconds for which a process waited for a disk of this machine since boot (proc(5), pressure)."""
    try:
        return int(pathlib.Path("/proc/pressure/io").read_text().split("total=")[1].split()[0]) / 1e6
    except OSError:
        return 0


def require(holds, what):
    if not holds:
        raise SystemExit(what)


def cut_often(box, disk, rounds, chance):
    starts, added, kept, recorded, bare = [], 0, box.names(), 0, 0
    address = f"{box.stage.mp3}?0"
    allowed = {address}
    for number in range(rounds):
        starts.append(box.start())
        require(box.address() in allowed, f"round {number}: the box plays {box.address()}, not one of {allowed}")
        before = {path.name for path in box.recordings()}
        if chance.random() < 0.7:
            require(box.wire.ask(f"radio_record start {number}.mp3") == ["OK"],
                    f"round {number}: the box does not record")
            recorded += 1
        began, waits = time.monotonic(), stalled()
        address, song, moves = box.address(), chance.randrange(8), chance.random() < 0.7
        if moves:
            box.wire.ask(f"play {song}")
            allowed = {address, f"{box.stage.mp3}?{song}"}
        else:
            allowed = {address}
        if chance.random() < 0.5:
            box.wire.ask(f"setvol {chance.randrange(101)}")
        edit = None
        if chance.random() < 0.5:
            edit = subprocess.Popen([box.bakelite, "stations", "add", f"More {number}", f"{box.stage.mp3}?more{number}",
                                     "--stations", box.list], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.random() ** 3 * 4)
        is_added = edit is not None and edit.poll() == 0
        image, age = disk.copy(), time.monotonic() - began
        late = SYNCED + stalled() - waits
        box.kill()
        if edit:
            edit.kill()
            edit.wait()
        disk.use(image)

        names = box.names()
        wanted = kept + [f"More {number}"] if is_added else kept
        require(names in (wanted, kept + [f"More {number}"] if edit else kept),
                f"round {number}: the list has {names[-3:]} at its end, not {wanted[-3:]}")
        added, kept = added + (names != kept), names
        for path in box.recordings():
            if path.name in before:
                continue
            data = path.read_bytes()
            require(data in LAP * 3, f"round {number}: {path.name} differs from the station's audio")
            require(address in allowed and (moves or len(data) >= (age - late) * RATE),
                    f"round {number}: {len(data)} bytes remain after {age:.1f} s of recording")
            bare += not data
        if number % 50 == 49 or number == rounds - 1:
            good, told = disk.check()
            require(good, f"round {number}: the file system has errors:\n{told}")
            print(f"{number + 1:5} cuts: plays again after {statistics.median(starts) * 1000:.0f} ms (median), "
                  f"{max(starts) * 1000:.0f} ms at most; {len(kept)} stations, {recorded} recordings, "
                  f"{bare} of them cut before their first packet", flush=True)
            for path in [*box.recordings()[:-8], *(box.data / "recordings").glob("*.cue")]:
                path.unlink()
    require(rounds < 20 or added > rounds // 10, "too few stations were added")


def main():
    bakelite, bakelited = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.getrandbits(32)
    print(f"seed {seed}")
    stage = Stage(bakelite)
    disk = Disk(stage.folder)
    box = Box(stage, disk, bakelite, bakelited)
    try:
        cut_often(box, disk, rounds, random.Random(seed))
        print(f"{rounds} cuts: the box played after each cut, and lost no stored data.")
    finally:
        if box.process:
            box.kill()
        disk.close()
        stage.close()


main()
