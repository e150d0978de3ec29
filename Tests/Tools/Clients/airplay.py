#!/usr/bin/env python3
"""Plays by AirPlay to a real shairport-sync, whose hooks (config/shairport-sync) suspend and resume a box.

airplay.py BAKELITE

Needs root, for new namespaces (processes, network, mounts) and a new /run with D-Bus and Avahi. The script is also the
AirPlay sender.
"""
import os
import socket
import struct
import subprocess
import threading
import time

from stage import ADDRESS, ROOT, Box, Wire, check, has_machine, run, wait_for

CONFIG = ROOT / "config/shairport-sync/etc"
STEP = 352  # samples per packet
NTP = 2_208_988_800  # seconds from 1900 to 1970


class Sender:
    """A session of AirPlay 1 without encryption, started like a phone's."""

    def __init__(self):
        self.rtsp = socket.create_connection((ADDRESS, 5000))
        self.rtsp.settimeout(20)
        self.count = self.sequence = self.time = 0
        self.control, self.timing, self.sound = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3))
        for one in (self.control, self.timing):
            one.bind((ADDRESS, 0))
            one.setblocking(False)
        about = (f"v=0\r\no=iTunes 1 0 IN IP4 {ADDRESS}\r\ns=iTunes\r\nc=IN IP4 {ADDRESS}\r\nt=0 0\r\n"
                 "m=audio 0 RTP/AVP 96\r\na=rtpmap:96 AppleLossless\r\n"
                 f"a=fmtp:96 {STEP} 0 16 40 10 14 2 255 0 0 44100\r\n")
        self.ask("ANNOUNCE", {"Content-Type": "application/sdp"}, about)
        ports = (f"control_port={self.control.getsockname()[1]};timing_port={self.timing.getsockname()[1]}")
        answer = self.ask("SETUP", {"Transport": f"RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;{ports}"})
        told = dict(part.split("=") for part in answer["Transport"].split(";") if "=" in part)
        self.ports = int(told["server_port"]), int(told["control_port"])
        # The response arrives after the hooks have run.
        self.ask("RECORD", {"Range": "npt=0-", "RTP-Info": "seq=0;rtptime=0"})
        self.isFirst = True

    def ask(self, method, headers={}, body=""):
        self.count += 1
        lines = {"CSeq": self.count, "Session": 1, "User-Agent": "iTunes/10.6", **headers, "Content-Length": len(body)}
        head = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
        self.rtsp.sendall(f"{method} rtsp://{ADDRESS}/1 RTSP/1.0\r\n{head}\r\n{body}".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            piece = self.rtsp.recv(4096)
            if not piece:
                raise OSError(f"{method} is not answered")
            answer += piece
        return dict(line.split(": ", 1) for line in answer.decode().split("\r\n") if ": " in line)

    @staticmethod
    def moment(seconds):
        return struct.pack(">II", int(seconds + NTP), int(seconds % 1 * 2 ** 32))

    def answer_timing(self):
        try:
            while True:
                question, asker = self.timing.recvfrom(200)
                now = self.moment(time.time())
                self.timing.sendto(b"\x80\xd3" + question[2:4] + bytes(4) + question[24:32] + now + now, asker)
        except BlockingIOError:
            pass

    def packet(self):
        """Returns a tone in an uncompressed ALAC frame."""
        level = format((3000 if self.sequence // 8 % 2 else -3000) & 0xFFFF, "016b")
        bits = "001" + "0" * 19 + "1" + level * 2 * STEP + "111"
        bits += "0" * (-len(bits) % 8)
        return int(bits, 2).to_bytes(len(bits) // 8, "big")

    def play(self, seconds):
        start = time.time()
        for number in range(int(seconds * 44_100 / STEP)):
            self.answer_timing()
            due = start + number * STEP / 44_100
            if number % 126 == 0:
                head = struct.pack(">BBHI", 0x90 if self.isFirst else 0x80, 0xD4, 7, (self.time - 77_175) & 0xFFFFFFFF)
                self.control.sendto(head + self.moment(due) + struct.pack(">I", self.time), (ADDRESS, self.ports[1]))
            head = struct.pack(">BBHII", 0x80, 0xE0 if self.isFirst else 0x60, self.sequence, self.time, 1)
            self.sound.sendto(head + self.packet(), (ADDRESS, self.ports[0]))
            self.isFirst, self.sequence, self.time = False, self.sequence + 1, self.time + STEP
            time.sleep(max(0, due + STEP / 44_100 - time.time()))

    def pause(self):
        self.ask("FLUSH", {"RTP-Info": f"seq={self.sequence};rtptime={self.time}"})

    def end(self):
        self.ask("TEARDOWN")
        self.rtsp.close()


class Guest:
    """shairport-sync with the repository's settings; its output goes to a pipe that this script reads."""

    def __init__(self, stage, box):
        self.stage, self.pipe, self.log, self.bytes = stage, stage.folder / "airplay", stage.folder / "hooks", 0
        self.log.write_text("")
        ctl = stage.folder / "ctl"
        ctl.write_text(f'#!/bin/sh\n{stage.binary} ctl --socket {box.socket} "$@"\necho "$* $?" >>{self.log}\n')
        ctl.chmod(0o755)
        self.ctl = ctl
        settings = (CONFIG / "shairport-sync.conf").read_text()
        check(settings.count("/usr/bin/bakelite ctl ") == 2, "the settings have two hooks")
        settings = settings.replace("/usr/bin/bakelite ctl ", f"{ctl} ")
        (stage.folder / "shairport-sync.conf").write_text(
            'general = { output_backend = "pipe"; };\n' f'pipe = {{ name = "{self.pipe}"; }};\n' + settings)
        self.start()
        threading.Thread(target=self.read, daemon=True).start()

    def start(self):
        self.child = self.stage.child(
            ["shairport-sync", "-u", "-c", self.stage.folder / "shairport-sync.conf"], "shairport-sync")
        wait_for("shairport-sync is there", lambda: socket.create_connection((ADDRESS, 5000)).close() or True)

    def read(self):
        while not self.pipe.exists():
            time.sleep(0.05)
        file = os.open(self.pipe, os.O_RDWR)
        while True:
            self.bytes += len(os.read(file, 65_536))

    @property
    def hooks(self):
        return self.log.read_text().split("\n")[:-1]


class Owners:
    """Checks every 10 ms which player's audio progresses."""

    def __init__(self, sound, guest):
        self.sound, self.guest, self.both = sound, guest, 0
        self.radio_at = self.guest_at = 0.0
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        before = None
        while True:
            time.sleep(0.01)
            try:
                now = os.stat(self.sound).st_size, self.guest.bytes
            except FileNotFoundError:
                return
            before = before or now
            grown = now[0] > before[0], now[1] > before[1]
            self.both += all(grown)
            if grown[0]:
                self.radio_at = time.monotonic()
            if grown[1]:
                self.guest_at = time.monotonic()
            before = now

    def is_radio(self):
        return time.monotonic() - self.radio_at < 0.4

    def is_guest(self):
        return time.monotonic() - self.guest_at < 0.4


def drive(stage):
    sound = stage.folder / "sound"
    box = Box(stage, f"raw:{sound}")
    guest = Guest(stage, box)
    owners = Owners(sound, guest)

    def told(key):
        lines = Wire(box.socket).ask("radio_status")
        return dict(line.split(": ", 1) for line in lines if ": " in line).get(key)

    def shows(words):
        return any(words in line for line in Wire(box.socket).ask("radio_display"))

    wait_for("the radio is heard", owners.is_radio)
    sender = Sender()
    check(guest.hooks == ["suspend AirPlay 0"], "the sound is lent before the session is answered")
    time.sleep(0.5)
    check(not owners.is_radio() and told("suspended_by") == "AirPlay", "the radio is silent")
    held = float(told("held"))
    sender.play(3)
    check(owners.is_guest() and shows("AirPlay plays"), "AirPlay is heard, and the display says so")
    check(float(told("held")) > held + 1, "the station goes on being held")
    sender.pause()
    time.sleep(7)
    check(not owners.is_radio() and told("suspended") == "1", "a pause within the session leaves the sound lent")
    sender.play(3)
    check(owners.is_guest() and guest.hooks == ["suspend AirPlay 0"], "what follows it is heard, and no hook was needed")
    sender.end()
    time.sleep(2)
    sender = Sender()
    sender.play(3)
    check(owners.is_guest() and guest.hooks == ["suspend AirPlay 0"], "a session soon after the first runs no hook")
    sender.end()
    ended = time.monotonic()
    wait_for("the radio is heard again", owners.is_radio)
    after = time.monotonic() - ended
    check(4 < after < 8, f"{after:.1f} s after the end")
    check(guest.hooks == ["suspend AirPlay 0", "resume AirPlay 0"] and told("suspended") == "0", "by one hook")
    sender = Sender()
    sender.play(2)
    guest.child.process.kill()
    guest.child.process.wait()
    time.sleep(1)
    check(not owners.is_radio() and told("suspended_by") == "AirPlay", "a crash runs no hook")
    unit = (CONFIG / "systemd/system/shairport-sync.service.d/bakelite.conf").read_text()
    line = next(line for line in unit.split("\n") if line.startswith("ExecStopPost="))
    words = line.removeprefix("ExecStopPost=-").split()
    check(words[:2] == ["/usr/bin/bakelite", "ctl"], "its service runs one")
    subprocess.run([guest.ctl, *words[2:]], check=True)
    wait_for("which gives the sound back", owners.is_radio)
    check(owners.both == 0, f"there were never two owners: {owners.both} times")


def main():
    if not has_machine("AirPlay", "shairport-sync"):
        return
    run(drive)


if __name__ == "__main__":
    main()
