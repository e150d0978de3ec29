#!/usr/bin/env python3
"""Checks the web panel of unusual boxes: a new box, a podcast, rooms, moved presets, and an owner's password.

houses.py BAKELITE [PART…]
"""
import http.server
import re
import shutil
import subprocess
import sys
import threading
import time
import zlib

from browser import ROOT, Keys, Page, WebBox, Wire, check, is_able, skip, wait_for
from stage import Stage, finish

sys.path.insert(0, str(ROOT / "Tests/Tools/Bench"))

FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Am Wasser</title>{items}</channel></rss>
"""
ITEM = """<item><title>{title}</title><guid>{number}</guid><pubDate>Fri, {day} Nov 2026 06:00:00 GMT</pubDate>
<itunes:duration xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">30</itunes:duration>
<enclosure url="http://127.0.0.1:{port}/{number}.mp3" type="audio/mpeg" length="{size}"/></item>"""
EPISODES = ("Ebbe und Flut", "Der Leuchtturm", "Am Deich & am Siel", "Fähren im Nebel", "Die lange Mole")


def podcast():
    """Serves a podcast with five episodes. -> its address"""
    sound = (ROOT / "config/demo/bakelite-demo.mp3").read_bytes()[:480_000]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            is_feed = self.path == "/feed.xml"
            body = feed.encode() if is_feed else sound
            self.send_response(200)
            self.send_header("Content-Type", "application/rss+xml" if is_feed else "audio/mpeg")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    items = "".join(ITEM.format(title=title.replace("&", "&amp;"), number=number, day=20 - number, size=len(sound),
                                port=server.server_port) for number, title in enumerate(EPISODES))
    feed = FEED.format(items=items)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/feed.xml"


def set_up(stage, page):
    """A box without stations, on its owner's first visit."""
    box = WebBox(stage, stations="")
    page.sign_in(box)
    wait_for("a new box is set up", lambda: "Set up" in page.text("#view h2"))
    wait_for("it tells what the radio found", lambda: "ready" in page.text("#view .facts") or page.text("#view .facts"))
    if box.has_directory:
        page.write("#words", "kitchen")
        page.keys("#words", Keys.ENTER)
        wait_for("a station is found", lambda: page.is_shown("#view .rows li button"))
        page.click("#view .rows li:first-child button:not(.strong)")
        wait_for("the first station is a preset", lambda: box.presets() == ["Kitchen FM"])
    else:
        page.click("summary")
        page.write("#first-name", "Kitchen FM")
        page.write("#first-url", stage.mp3)
        page.click("#first [type=submit]")
    wait_for("and plays", lambda: box.told("station") == "Kitchen FM" and box.is_heard(0.3))
    page.js("document.getElementById('first-volume').focus()")
    page.keys("#first-volume", Keys.HOME, *[Keys.PAGE_UP] * 3)
    wait_for("its volume is set", lambda: 20 <= int(box.told("volume")) <= 40)
    page.click("#view > p.acts button")
    wait_for("then the radio is shown", lambda: page.text("#station") == "Kitchen FM" and page.is_shown("#buttons button"))


def episodes(stage, page):
    box = WebBox(stage)
    page.sign_in(box)
    check(not page.is_shown("#to-episodes"), "a station has no episodes")
    Wire(box.socket).ask(f"radio_tune {podcast()}")
    wait_for("a podcast has", lambda: page.is_shown("#to-episodes"), 30)
    page.click("#to-episodes")
    wait_for("they are listed", lambda: len(page.all("#view .rows li")) == len(EPISODES))
    check(EPISODES[2] in page.text("#view .rows"), "as the feed calls them")
    page.click("#view .rows li:nth-child(3) button")
    wait_for("one is chosen", lambda: box.told("episode") == "3" and box.is_heard(0.3))
    wait_for("and marked", lambda: page.is_shown("#view .rows li:nth-child(3).now"))
    page.view("radio")
    wait_for("its place is shown", lambda: "of" in page.text("#ahead") and page.text("#behind") != "")
    page.js("document.getElementById('time').focus()")
    page.keys("#time", Keys.ARROW_RIGHT)
    wait_for("an arrow key goes on in it", lambda: float(box.told("position")) > 9)


def fallback(stage, page):
    """A station that does not exist is replaced by another one, whose name is hostile, and then by the tone."""
    name = "Two <b>x</b> {name} $&"
    stations = "".join(f'[[station]]\nname = "{station}"\nurl = "{url}"\n' for station, url in (
        ("One", f"http://127.0.0.1:{stage.port}/gone"), (name, stage.mp3)))
    box = WebBox(stage, settings=f'[continuity]\nfallback = ["{name}"]\n', stations=stations)
    page.sign_in(box)
    wait_for("the source is named", lambda: page.text("#station") == f"{name} instead of One")
    words = lambda: page.text("#source")  # noqa: E731
    wait_for("with the time and the reason", lambda: re.match(
        re.escape(f"{name} instead of One since ") + r"\d+:\d\d [AP]M: Station not found\. ", words()))
    wait_for("and the next attempt", lambda: re.search(r"Next attempt in 0:\d\d\.$", words()))
    check(page.js("return document.querySelectorAll('#set b').length") == 0, "a name is never markup")
    before = words()
    wait_for("which comes closer", lambda: words() not in ("", before))
    page.click("#tongue")
    wait_for("in German too", lambda: "statt One seit" in words() and "Nicht gefunden." in words())
    page.click("#tongue")
    page.click("#stop")
    wait_for("a stopped radio tries nothing", lambda: not page.is_shown("#source"))
    page.click("#buttons li:nth-child(2) button")
    wait_for("the station itself needs no words", lambda: page.text("#station") == name and words() == "")
    box.child.end()
    box.web.end()
    settings = box.folder / "bakelite.toml"
    settings.write_text(settings.read_text().replace(f'fallback = ["{name}"]', "tone = true"))
    box.plays = False
    box.start()
    box.serve()
    Wire(box.socket).ask("radio_tune 1")
    page.sign_in(box)
    wait_for("the tone is named", lambda: page.text("#station") == "Tone instead of One")
    wait_for("with the reason", lambda: "Station not found." in words())


def rooms(stage, page):
    from snapcast import House

    if not shutil.which("snapserver") or not shutil.which("snapclient"):
        return skip("rooms", "apt-get install snapserver snapclient")
    run = stage.folder / "house"
    run.mkdir()
    with House(run, None) as house:
        house.begin_server()
        for name in ("kitchen", "bath"):
            house.begin(f"client-{name}", "snapclient", "-h", "127.0.0.1", "-p", house.stream_port, "--hostID", name,
                        "--player", "file:filename=null")
        box = WebBox(stage, settings=f'[audio]\noutput = "snapcast"\n[snapcast]\npipe = "{house.feed}"\n'
                                     f'server = "127.0.0.1:{house.control_port}"\n', output=None)
        wait_for("the radio knows two rooms", lambda: box.told("rooms") == "2", 30)
        page.sign_in(box)
        wait_for("a radio with rooms tells so", lambda: page.is_shown("#to-rooms"))
        page.click("#to-rooms")
        wait_for("they are listed", lambda: len(page.all("#view .rows li")) == 2)
        told = lambda key: [line.split(": ")[1] for line in Wire(box.socket).ask("radio_room")  # noqa: E731
                            if line.startswith(key + ": ")]
        number = told("number")[0]
        page.js("document.getElementById(arguments[0]).focus()", f"room-{number}")
        page.keys(f"#room-{number}", Keys.HOME)
        wait_for("a slider sets its volume", lambda: told("volume")[0] == "0")
        page.click(f"#mute-{number}")
        wait_for("and a button mutes it", lambda: told("muted")[0] == "1")
        wait_for("which is shown",
                 lambda: page.is_shown(f"#mute-{number}[aria-pressed=true]"))
        Wire(box.socket).ask(f"radio_room {number} 64")
        shown = lambda: page.js("return document.getElementById(arguments[0]).value", f"room-{number}")  # noqa: E731
        wait_for("what another client sets is shown", lambda: shown() == "64")
        page.js("const s = document.getElementById(arguments[0]); s.value = 50; s.dispatchEvent(new Event('input'))",
                f"room-{number}")
        Wire(box.socket).ask(f"radio_room {number} 30")
        time.sleep(0.5)
        check(shown() == "50", "a slider that is held stays")
        page.js("document.getElementById(arguments[0]).dispatchEvent(new PointerEvent('pointerup'))", f"room-{number}")
        wait_for("and shows the room when it is let go without a change", lambda: shown() == "30")


def key(address):
    """Returns the 64-bit FNV-1a hash, with which the radio identifies a preset's address."""
    number = 0xCBF29CE484222325
    for byte in address.encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return format(number, "x")


def moved(stage, page):
    """Two presets with dead addresses; the directory has their new addresses."""
    gone = [f"http://127.0.0.1:{stage.port}/{name}" for name in ("gone", "away")]
    new = stage.mp3 + "?new"
    lines = ["bakelite-presets 1"]
    for address in gone:
        lines += [f"preset={key(address)}", "looked=0", f"new_url={new}", "new_name=Found FM",
                  "new_id=960cf833-0601-11e8-ae97-52543be04c81"]
    body = "\n".join(lines) + "\n"
    (stage.folder / "box").mkdir()
    (stage.folder / "box/presets").write_text(f"{body}checksum={zlib.crc32(body.encode()):08x}\n")
    stations = "".join(f'[[station]]\nname = "{name}"\nurl = "{address}"\n'
                       for name, address in zip(("Gone", "Away", "Here"), (*gone, stage.mp3)))
    box = WebBox(stage, stations=stations, plays=False)
    for number in (1, 2):
        Wire(box.socket).ask(f"radio_tune {number}")
        wait_for("a preset does not come", lambda: box.told("fault") == "notFound")
    wait_for("both may have moved", lambda: len(asked(box)) == 2, 30)
    page.sign_in(box)
    wait_for("the page says so", lambda: "Gone moved?" in page.text("#moved"))
    page.click("#moved a")
    wait_for("it tells both", lambda: len(page.all("#view .sheet")) == 2)
    page.click("#view .sheet:first-of-type .strong")
    wait_for("what is taken is the preset's", lambda: asked(box) == ["Away"]
             and f'url = "{new}"' in (box.folder / "owner.toml").read_text())
    wait_for("the other is left", lambda: len(page.all("#view .sheet")) == 1)
    page.click("#view .sheet button:last-child")
    wait_for("what is refused is asked no more", lambda: asked(box) == [] and not page.all("#view .sheet"))


def asked(box):
    return [line[8:] for line in Wire(box.socket).ask("radio_relocate") if line.startswith("preset: ")]


def read_only(stage, page):
    box = WebBox(stage, options=("--read-only",))
    page.sign_in(box)
    wait_for("the station is shown", lambda: page.text("#station") == "One")
    check(page.js("return document.querySelectorAll('#set button:enabled, #set input:enabled').length") == 0,
          "nothing can be pressed")


def own_password(stage, page):
    """A box with the owner's password: the page asks for the password, not for the code on the display."""
    file = stage.folder / "password"
    subprocess.run([stage.binary.with_name("bakelite-web"), "--set-password", "--password-file", file], check=True,
                   input=b"drei Anker\n" * 2, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    box = WebBox(stage, options=("--password-file", file))
    page.open(box.address)
    wait_for("it asks for it", lambda: page.is_shown("#code"))
    check(page.text("#view label") == "Password" and "display" not in page.text("#code-help"), "and speaks of no display")
    check(page.one("#code").get_attribute("type") == "password", "nobody reads it there")
    page.write("#code", "Drei Anker")
    page.keys("#code", Keys.ENTER)
    wait_for("a wrong one is told", lambda: "not the password" in page.text("#code-answer"))
    page.write("#code", "drei Anker")
    page.keys("#code", Keys.ENTER)
    wait_for("the right one lets in", lambda: page.is_shown("#play"))


def main():
    for work in (set_up, episodes, fallback, rooms, moved, read_only, own_password):
        if sys.argv[2:] and work.__name__ not in sys.argv[2:]:
            continue
        print(f"-- {work.__name__}", flush=True)
        stage = Stage(sys.argv[1])
        try:
            with Page() as page:
                work(stage, page)
        except Exception as error:  # The other checks must run nevertheless.
            check(False, f"{work.__name__}: {type(error).__name__}: {str(error).splitlines()[0]}")
        finally:
            stage.close()
    finish()


if __name__ == "__main__":
    if is_able("houses.py"):
        main()
    sys.exit(0)
