"""QEMU's i.MX 8M Plus board with the radio. The host drives the pins and captures the I2C bus and the sound."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

from display import Display

GPIO = "/machine/soc/gpio3"
PINS = {"knob_a": 20, "knob_b": 21, "knob": 22, "play": 23, "rewind": 24, "forward": 25, "preset": 17}
# Seconds to wait for a screen. An emulator has no real-time guarantees.
PATIENCE = float(os.environ.get("BOARD_PATIENCE", "30"))


class Machine:
    """A running board; the constructor starts it.

    parts: the folder that `build` made. boot: kernel, initramfs and kernel command line, instead of those in `parts`.
    disk: the image in the card reader. port: the only port of the host that the board can reach, as 10.0.2.100:8000;
    None for a board without a network cable. web: the port of the host that leads to the board's port 80, if any.
    """

    def __init__(self, parts, folder, port, disk, boot=None, web=None):
        self.folder, self.display, self.read = pathlib.Path(folder), Display(), 0
        # Seconds between two edges of the knob; a busier board needs more.
        self.pace = 0.03
        self.log, self.sound = self.folder / "bus.log", self.folder / "sound.wav"
        self.console, self.heard = self.folder / "console.log", 0
        # Bytes of the sound file that contained only silence so far, including the header of 44 bytes.
        self.quiet, self.first_sound = 44, None
        pins, control = self.folder / "pins", self.folder / "control"
        for old in (self.log, self.sound, self.console, pins, control):
            old.unlink(missing_ok=True)
        qemu, library = parts / "qemu", "usr/lib/x86_64-linux-gnu"
        station = f"guestfwd=tcp:10.0.2.100:8000-cmd:socat - TCP:127.0.0.1:{port}"
        page = f",hostfwd=tcp:127.0.0.1:{web}-:80" if web else ""
        cable = [] if port is None else [
            "-netdev", f"user,id=net,restrict=on,ipv6=off,{station}{page}",
            "-device", "virtio-net-pci,netdev=net,romfile=,addr=0.1"]
        kernel, root, words = boot or (parts / "kernel", parts / "root.cpio", "quiet panic=-1")
        self.began = time.monotonic()
        self.process = subprocess.Popen([
            qemu / library / "ld-linux-x86-64.so.2", "--library-path", qemu / library,
            qemu / "usr/bin/qemu-system-aarch64", "-L", qemu / "usr/share/qemu",
            "-M", "imx8mp-evk", "-smp", "4", "-m", "1G", "-accel", "tcg,thread=multi", "-display", "none", "-no-reboot",
            "-nodefaults", "-kernel", kernel, "-initrd", root, "-dtb", parts / "board.dtb",
            "-append", f"console=ttymxc1,115200 mitigations=off cpuidle.off=1 {words}",
            "-serial", "null", "-serial", f"file:{self.console}",
            "-qtest", f"unix:{pins},server=on,wait=off", "-qtest-log", "none",
            "-qmp", f"unix:{control},server=on,wait=off",
            "-device", "at24c-eeprom,address=0x27,rom-size=256,writable=off,bus=i2c-bus.2",
            "-trace", "i2c_send", "-D", self.log,
            "-audiodev", f"wav,id=card,path={self.sound},out.frequency=44100,out.channels=2,out.format=s16",
            "-device", "virtio-sound-pci,audiodev=card,streams=1,addr=0.0,multifunction=on",
            "-drive", f"if=sd,bus=1,format=raw,file={disk}", *cable,
        ], stdin=subprocess.DEVNULL, stdout=open(self.folder / "qemu.log", "wb"), stderr=subprocess.STDOUT)
        self.pins, self.control = self.connect(pins), self.connect(control)

    def connect(self, path):
        while True:
            try:
                peer = socket.socket(socket.AF_UNIX)
                peer.connect(str(path))
                return peer
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit("QEMU ended: " + (self.folder / "qemu.log").read_text()[-2_000:])
                time.sleep(0.05)

    def pin(self, name, level):
        self.pins.sendall(f"set_irq_in {GPIO} unnamed-gpio-in {PINS[name]} {level}\n".encode())
        answer = self.pins.recv(4_096)
        assert answer.startswith(b"OK"), answer

    def press(self, name, seconds=0.15):
        self.pin(name, 1)
        time.sleep(seconds)
        self.pin(name, 0)
        time.sleep(0.25)

    def turn(self, clicks):
        first, second = ("knob_a", "knob_b") if clicks > 0 else ("knob_b", "knob_a")
        for _ in range(abs(clicks)):
            for name, level in [(first, 1), (second, 1), (first, 0), (second, 0)]:
                self.pin(name, level)
                time.sleep(self.pace)
            time.sleep(0.1)

    def press_record(self):
        """Selects the third line of the open menu."""
        self.turn(2)
        self.wait("Two clicks move by two lines.", lambda rows: any(row.startswith("→Record ") for row in rows))
        self.press("knob")

    def rows(self):
        with open(self.log, "rb") as log:
            log.seek(self.read)
            text = log.read()
        whole = text[:text.rfind(b"\n") + 1]
        self.read += len(whole)
        self.display.feed(whole)
        return self.display.rows()

    def wait(self, what, is_so, seconds=PATIENCE):
        """Waits until the display fulfils a condition, then prints the display."""
        end, seen = time.monotonic() + seconds, []
        while True:
            self.listen()
            rows = self.rows()
            if rows not in seen[-1:]:
                seen.append(rows)
            if is_so(rows):
                moment = f"{time.monotonic() - self.began:6.1f} s  {what}"
                print(moment, *rows, *self.told(), sep="\n          ", flush=True)
                return rows
            if time.monotonic() > end or self.process.poll() is not None:
                shown = [line for rows in seen[-4:] for line in ["", *rows]]
                said = f"Timeout: {what} The last displays"
                raise SystemExit("\n  ".join([said, *shown, *self.told()]))
            time.sleep(0.1)

    def listen(self):
        """Records the time of the first captured sample that is not silence."""
        if self.first_sound is not None or not self.sound.exists():
            return
        with open(self.sound, "rb") as sound:
            sound.seek(self.quiet)
            fresh = sound.read()
        self.quiet += len(fresh)
        if any(fresh):
            self.first_sound = time.monotonic() - self.began

    def told(self):
        """Returns the lines on the console since the last call."""
        text = self.console.read_text(errors="replace") if self.console.exists() else ""
        fresh, self.heard = text[self.heard:], len(text)
        return fresh.splitlines()

    def kill(self):
        """Ends the board like a power cut."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def quit(self):
        """Ends QEMU in an orderly way, so that it completes the sound file."""
        try:
            self.control.sendall(b'{"execute":"qmp_capabilities"}{"execute":"quit"}')
            self.process.wait(20)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()
