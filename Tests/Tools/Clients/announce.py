#!/usr/bin/env python3
"""Checks the announcements of a real Avahi: a box that allows other machines, and its web panel while it is on.

A client that discovers the box controls it.

announce.py BAKELITE

Needs root, for new namespaces (processes, network, mounts) and a new /run.
"""
import hashlib
import os
import pathlib
import subprocess
import time

from stage import ADDRESS, ROOT, Box, check, has_machine, run, skip, wait_for

PORT = 6600


def found(seconds=4, kind="_mpd._tcp"):
    """Returns name, address, port and text of each announced service of a kind."""
    browse = subprocess.run(["timeout", str(seconds), "avahi-browse", "-rpt", kind], capture_output=True, text=True)
    lines = [line.split(";") for line in browse.stdout.split("\n") if line.startswith("=") and ";IPv4;" in line]
    return [(fields[3], fields[7], fields[8], fields[9]) for fields in lines]


def drive(stage):
    (stage.folder / "password").write_text("secret\n")
    password = stage.folder / "password"
    password.chmod(0o600)
    box = Box(stage, control=f'listen = "0.0.0.0:{PORT}"\npassword_file = "{password}"\n')
    root = stage.folder / "root"
    (root / "etc/bakelite").mkdir(parents=True)
    (root / "etc/avahi").mkdir()
    (root / "etc/avahi/services").symlink_to("/etc/avahi/services")
    (root / "etc/bakelite/bakelite.toml").symlink_to(box.folder / "bakelite.toml")
    (root / "etc/machine-id").symlink_to("/etc/machine-id")
    environment = {**os.environ, "DPKG_ROOT": str(root), "BAKELITE": str(stage.binary)}

    def announce(*words):
        subprocess.run([ROOT / "config/deb/announce", *words], env=environment, check=True)

    check(found(2) == [], "nothing is told at first")
    announce()
    wait_for("Avahi tells the network of the box", lambda: found())
    name, address, port, text = found()[0]
    machine = pathlib.Path("/etc/machine-id").read_bytes()
    number = hashlib.sha256(b"bakelite _mpd._tcp " + machine).hexdigest()[:32]
    check("Bakelite" in name and text == f'"id={number}"' and machine.strip().decode() not in text, f"by {name} and {text}")
    check((address, port) == (ADDRESS, str(PORT)), "with its address and port")
    try:
        import mpd
    except ImportError:
        skip("python-mpd2", "pip install python-mpd2")
    else:
        client = mpd.MPDClient()
        client.connect(address, int(port))
        client.password("secret")
        check(client.status()["state"] == "play", "where a client drives it")
        client.disconnect()
    flag = root / "run/bakelite/web"
    flag.parent.mkdir(parents=True)
    check(found(2, "_http._tcp") == [], "nothing is told of a web panel that is off")
    flag.touch()
    announce()
    wait_for("Avahi tells the network of the web panel while it is on", lambda: found(kind="_http._tcp"))
    check(found(kind="_http._tcp")[0] == (name, address, "80", text), "by the same name and id")
    flag.unlink()
    announce()
    wait_for("it is told of no more when it is off", lambda: not found(2, "_http._tcp") and found(2))
    flag.touch()
    announce("withdraw")
    wait_for("it is withdrawn", lambda: not found(2) and not found(2, "_http._tcp"))
    dtd = pathlib.Path("/usr/share/avahi/avahi-service.dtd")
    if dtd.exists() and subprocess.run(["which", "xmllint"], capture_output=True).returncode == 0:
        announce()
        valid = subprocess.run(["xmllint", "--noout", "--dtdvalid", dtd, "/etc/avahi/services/bakelite.service"])
        check(valid.returncode == 0, "as Avahi's DTD has it")
    else:
        skip("Avahi's DTD", "apt-get install libxml2-utils")


def main():
    if not has_machine("the announcement", "avahi-browse"):
        return
    time.sleep(1)
    run(drive)


if __name__ == "__main__":
    main()
