#!/usr/bin/env python3
"""Takes pictures of nine pages of the web panel, in three sizes, two themes and two languages. The README shows two of
the pictures.

pictures.py BAKELITE FOLDER
"""
import pathlib
import sys
import time

from browser import ROOT, Keys, Page, WebBox, Wire, is_able, wait_for
from houses import EPISODES, podcast
from stage import run, skip

PAGES = ("signin", "setup", "radio", "presets", "find", "health", "settings", "recordings", "episodes")
WIDTHS = {"phone": (390, 844, 2), "landscape": (844, 390, 2), "wide": (1280, 860, 1)}
LANGUAGES = ("en", "de")
RECORDINGS = ("Nina Simone - Sinnerman.mp3", "Evening jazz 2026-11-21 20.00.mp3", "Morgenmagazin.aac")
README = {"radio-phone-light": "phone.jpg", "radio-wide-dark": "desktop.jpg"}
PLACE = ROOT / "Sources/Box/Web/Web.docc/Resources"
NAMES = ("Hafenradio", "Kitchen FM", "Nachtjazz", "Café Müller", "Radio Paradies", "Workshop", "Klassik am Morgen",
         "Wellenbrecher")


def stations(stage):
    return "\n".join(f'[[station]]\nname = "{name}"\nurl = "{(stage.aac, stage.mp3)[n % 2]}?{n}"\n'
                     for n, name in enumerate(NAMES))


def prepare(page, box, name):
    """Prepares radio and page for a picture."""
    if name == "signin":
        return
    page.view(name)
    if name == "find":
        page.write("#words", "jazz")
        page.keys("#words", Keys.ENTER)
        wait_for("stations are found", lambda: page.is_shown("#view .rows button") or not box.has_directory)
    if name == "episodes":
        wait_for("episodes are listed", lambda: page.is_shown("#view .rows li"))
    if name == "recordings":
        wait_for("recordings are listed", lambda: len(page.all("#view .rows li")) >= len(RECORDINGS))
    if name == "settings":
        wait_for("settings are there", lambda: len(page.all("#view .setting")) >= 26)
    if name == "health":
        wait_for("the display is shown", lambda: page.is_shown(".display"))
    page.js("document.activeElement.blur()")
    time.sleep(0.4)


def drive(stage):
    folder = pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    kept = stage.folder / "box/recordings"
    box = WebBox(stage, settings=f'[recording]\npath = "{kept}"\n', stations=stations(stage))
    kept.mkdir(exist_ok=True)
    for name in RECORDINGS:
        (kept / name).write_bytes((ROOT / "config/demo/bakelite-demo.mp3").read_bytes())
    Wire(box.socket).ask("setvol 42")
    for language in LANGUAGES:
        with Page(language=language) as page:
            page.open(box.address)
            wait_for("it asks for the code", lambda: page.is_shown("#code"))
            take(page, box, folder, "signin", language)
            page.sign_in(box)
            wait_for("there is a title", lambda: page.text("#title") != "", 60)
            if language == LANGUAGES[0]:
                time.sleep(45)
                Wire(box.socket).ask("radio_rewind 15")
            for name in PAGES[1:]:
                if name == "episodes" and language == LANGUAGES[0]:
                    continue
                if name == "episodes":
                    Wire(box.socket).ask(f"radio_tune {podcast()}")
                    wait_for("a podcast plays", lambda: page.text("#station") in EPISODES, 30)
                take(page, box, folder, name, language)
    show(folder)


def take(page, box, folder, name, language):
    mark = "" if language == LANGUAGES[0] else f"-{language}"
    for width, size in WIDTHS.items():
        page.size(*size)
        prepare(page, box, name)
        for scheme in ("light", "dark"):
            page.theme(scheme, "reduce")
            page.js("document.getElementById('notice').textContent = ''; scrollTo(0, 0)")
            file = folder / f"{name}-{width}-{scheme}{mark}.png"
            page.picture(file)
            print(f"      {folder.name}/{file.name}", flush=True)


def show(folder):
    """Creates smaller files of the two pictures in the README."""
    try:
        from PIL import Image
    except ImportError:
        return skip("the README's pictures", "apt-get install python3-pil")
    for name, kept in README.items():
        Image.open(folder / f"{name}.png").convert("RGB").save(PLACE / kept, quality=88, optimize=True)


if __name__ == "__main__":
    if is_able("pictures.py"):
        run(drive)
