#!/usr/bin/env python3
"""Boots a card with only a wireless network, and checks display and sound of the radio: wifi.py PARTS IMAGE

air/start on that card controls the access point.
"""
import pathlib
import sys
import tempfile

from card import Card, owner

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "board"))
from machine import Machine

FILES = {
    "wifi.toml": 'country = "DE"\nssid = "Küche"\npassword = "not so secret"\n',
    "stations.toml": '[[station]]\nname = "Kitchen"\nurl = "http://10.9.0.1:8000/demo.mp3"\nlive = true\n',
}


def main():
    parts, image = pathlib.Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        card = Card(image, pathlib.Path(folder))
        card.settle()
        for name, text in FILES.items():
            (card.folder / name).write_text(text)
            owner(card.place, card.folder / name, "::")
        board = Machine(parts, folder, None, card.path, card.boot)

        def says(what, words):
            board.wait(what, lambda rows: any(words in row for row in rows), 600)

        try:
            says("The display reports no network.", "No network")
            says("With a WPA2 access point, the station plays.", "▶ Kitchen")
            board.wait("The first sample arrives.", lambda _: board.first_sound is not None)
            says("The access point is gone.", "No network")
            says("With a WPA3 access point, the station plays again.", "▶ Kitchen")
        finally:
            board.kill()
    print("The radio joined its wireless network twice: with WPA2 and with WPA3.")


main()
