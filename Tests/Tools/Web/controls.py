#!/usr/bin/env python3
"""Uses each control of the web panel in a real browser, and checks the radio's audio and status.

controls.py BAKELITE [PART…]
"""
import socket
import sys
import time

from browser import Keys, Page, WebBox, Wire, check, is_able, wait_for
from stage import run

NOTICE = "#notice"
# Moves a slider. At its end, the browser reports no change on release.
INPUT = "const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('input'));"
RELEASE = "s.dispatchEvent(new PointerEvent('pointerup'));"


def sign_in(page, box):
    page.open(box.address)
    wait_for("it asks for the code", lambda: page.is_shown("#code"))
    page.write("#code", "AAAAAAAA")
    page.keys("#code", Keys.ENTER)
    wait_for("a wrong code is reported", lambda: "Wrong code" in page.text("#code-answer"))
    check(not page.is_shown("#play"), "and lets nobody in")
    page.write("#code", f"{box.code[:4].lower()} {box.code[4:]}")
    page.click("form button[type=submit]")
    wait_for("the code lets in, whatever its case and spaces", lambda: page.is_shown("#play"))


def play(page, box):
    wait_for("the station is shown", lambda: page.text("#station") == "One")
    wait_for("and its title", lambda: page.text("#title") != "" and page.text("#title") in (box.told("title") or ""))
    check(box.is_heard(), "it is heard")
    page.click("#play")
    wait_for("a press pauses", lambda: box.told("state") == "paused" and page.text("#state") == "Paused")
    wait_for("nothing is heard", box.is_quiet)
    page.click("#play")
    wait_for("another one plays on", lambda: box.told("state") == "playing" and box.is_heard(0.3))
    page.click("#next")
    wait_for("next plays the next station", lambda: box.told("station") == "Two" and page.text("#station") == "Two")
    page.click("#previous")
    wait_for("previous the one before", lambda: box.told("station") == "One" and box.is_heard(0.3))
    page.click("#stop")
    wait_for("stop stops", lambda: box.told("state") == "stopped" and page.text("#state") == "Stopped")
    wait_for("nothing is heard, and nothing can be kept",
             lambda: box.is_quiet() and not page.one("#keep").is_enabled())
    page.click("#buttons li:nth-child(2) button")
    wait_for("a preset's key tunes to it", lambda: box.told("station") == "Two" and box.is_heard(0.3))
    wait_for("and is marked", lambda: page.one("#buttons li:nth-child(2) button").get_attribute("aria-current") == "true")
    page.click("#buttons li:nth-child(1) button")
    wait_for("so does another", lambda: box.told("station") == "One" and box.is_heard(0.3))


def orders(page, box):
    """Gives the orders to be silent in each state (I1)."""
    wire = Wire(box.socket)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        addresses = {"connecting": f"http://127.0.0.1:{mute.getsockname()[1]}/",
                     "given up": f"http://127.0.0.1:{box.stage.port}/gone"}
        entries = {"paused": "pause 1", "stopped": "stop", "standby": "radio_power off"}
        shown = {"given up": "stopped", "standby": "stopped"}
        for state in ("playing", "connecting", "given up", *entries):
            for button in ("#power",) if state in ("stopped", "standby") else ("#stop", "#power"):
                wire.ask(f"radio_tune {addresses.get(state, '1')}")
                if state not in addresses:
                    wait_for(f"{state}: the station plays first", lambda: box.told("state") == "playing")
                wire.ask(entries.get(state, "ping"))
                wait_for(f"{state}: the radio is in this state", lambda: box.told("state") == shown.get(state, state))
                wait_for(f"{state}: {button} is enabled", lambda: page.one(button).is_enabled())
                page.click(button)
                intent = "stopped" if button == "#stop" else "playing" if state == "standby" else "standby"
                wait_for(f"{state}: {button} leads to {intent}", lambda: box.told("intent") == intent)
    wire.ask("radio_tune 1")
    wait_for("the station plays again", lambda: box.told("state") == "playing" and box.is_heard(0.3))


def volume(page, box):
    page.js("document.getElementById('volume').focus()")
    before = int(box.told("volume"))
    page.keys("#volume", Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    wait_for("arrow keys turn the volume", lambda: int(box.told("volume")) == before - 2)
    page.keys("#volume", Keys.HOME)
    wait_for("Home turns it down", lambda: box.told("volume") == "0" and box.is_quiet(0.3))
    page.keys("#volume", Keys.END)
    wait_for("End turns it up", lambda: box.told("volume") == "100")
    time.sleep(0.5)
    loud = box.loudness()
    drag(page, "#volume", 1.0, 0.4)
    wait_for("a drag turns it down", lambda: 30 < int(box.told("volume")) < 50)
    wait_for("the figure follows", lambda: page.text("#loudness") == box.told("volume"))
    time.sleep(0.5)
    check(box.loudness() < loud / 2, "it is heard more quietly")
    Wire(box.socket).ask("setvol 71")
    wait_for("another client's volume is shown", lambda: page.text("#loudness") == "71")
    # Delays responses, like a distant radio.
    page.js("window.soon = window.fetch; window.fetch = async (path, more) => {"
            " if (path === 'api/volume') await new Promise((done) => setTimeout(done, 600));"
            " return window.soon(path, more); }")
    drag(page, "#volume", 0.7, 0.2)
    shown = page.text("#loudness")
    wait_for("what was let go is what it has in the end", lambda: box.told("volume") == shown and 10 < int(shown) < 30)
    time.sleep(1.5)
    check(box.told("volume") == shown == page.text("#loudness"), "and keeps")
    page.js("window.fetch = window.soon")
    page.js(INPUT + RELEASE, "volume", "33")
    wait_for("a slider that is let go without a change counts too", lambda: box.told("volume") == "33")
    Wire(box.socket).ask("setvol 71")
    wait_for("and shows what another client sets", lambda: page.text("#loudness") == "71")
    page.click("#mute")
    wait_for("mute mutes", lambda: box.told("muted") == "1" and box.is_quiet(0.3))
    wait_for("and is marked", lambda: page.one("#mute").get_attribute("aria-pressed") == "true")
    page.click("#mute")
    wait_for("and ends", lambda: box.told("muted") == "0" and box.is_heard(0.3))


def drag(page, css, begin, end):
    """Drags a slider's thumb in steps between two fractions of its length."""
    page.js("arguments[0].scrollIntoView({block: 'center'})", page.one(css))
    left, top, width, height = page.js(
        "const r = arguments[0].getBoundingClientRect(); return [r.left, r.top, r.width, r.height]", page.one(css))
    at = lambda share: left + 14 + (width - 28) * share  # noqa: E731
    mouse = lambda kind, x, **more: page.cdp(  # noqa: E731
        "Input.dispatchMouseEvent", type=kind, x=x, y=top + height / 2, button="left", **more)
    mouse("mousePressed", at(begin), clickCount=1)
    for step in range(1, 11):
        mouse("mouseMoved", at(begin + (end - begin) * step / 10), buttons=1)
    mouse("mouseReleased", at(end), clickCount=1)


def time_shift(page, box):
    shift = lambda: float(box.told("timeshift"))  # noqa: E731
    wait_for("there is something to go back to", lambda: float(box.told("duration")) - float(box.told("held")) > 14, 40)
    page.click("#live")
    wait_for("live is live", lambda: shift() < 1 and page.all("#live.lit"))
    page.js("document.getElementById('time').focus()")
    page.keys("#time", Keys.ARROW_LEFT)
    wait_for("an arrow key goes back by ten seconds", lambda: 8 < shift() < 13)
    wait_for("the slider tells it in words", lambda: "behind live" in page.one("#time").get_attribute("aria-valuetext"))
    check(page.text("#state") == "Time shift" and box.is_heard(), "it is heard from there")
    page.keys("#time", Keys.END)
    wait_for("End goes to live", lambda: shift() < 1)
    page.keys("#time", Keys.HOME)
    wait_for("Home goes to the oldest", lambda: shift() > 12)
    before = shift()
    page.click("#on")
    wait_for("on goes on", lambda: shift() < before - 8)
    page.click("#live")
    wait_for("live", lambda: shift() < 1)
    page.click("#back")
    wait_for("back goes back", lambda: shift() > 8)
    drag(page, "#time", 0.05, 0.5)
    wait_for("a drag goes where it ends", lambda: 3 < shift() < float(box.told("duration")) * 0.8)
    page.click("#live")
    wait_for("and live again", lambda: shift() < 1)
    words = lambda: page.one("#time").get_attribute("aria-valuetext")  # noqa: E731
    # An earlier request may move the slider once more.
    wait_for("what is held is told", lambda: page.js(INPUT, "time", "-9") or "9 seconds" in words())
    page.js(INPUT + RELEASE, "time", "-9")
    wait_for("a slider that is let go without a change goes back", lambda: words() == "Live")
    check(shift() < 1, "and so did not move the radio")
    page.click("#play")
    wait_for("it pauses", lambda: box.told("state") == "paused")
    # By now, requests from before the pause have been answered.
    before = page.text("#ahead")
    wait_for("the slider moves on while it is paused", lambda: page.text("#ahead") not in ("", before))
    asked = page.js("return performance.getEntriesByType('resource').map(({ name }) => name)")
    before = page.text("#ahead")
    time.sleep(3)
    wait_for("and moves on", lambda: page.text("#ahead") not in ("", before))
    check(page.js("return performance.getEntriesByType('resource').map(({ name }) => name)") == asked,
          "without asking for anything")
    page.click("#play")
    page.click("#live")
    wait_for("it plays at live", lambda: box.told("state") == "playing" and shift() < 1)


def record(page, box):
    page.click("#record")
    wait_for("record records", lambda: (box.told("recording") or "").endswith(".mp3"))
    wait_for("its time is shown", lambda: "0:02" in page.text("#record"))
    page.click("#record")
    wait_for("and ends", lambda: box.told("recording") is None and page.text("#record") == "Record")
    wait_for("which is told", lambda: page.text(NOTICE) == "Recorded")
    files = list((box.folder / "recordings").glob("One *.mp3"))
    check(len(files) == 1 and files[0].stat().st_size > 10_000, "the file is there")
    page.click("#keep")
    wait_for("keep keeps the song", lambda: page.text(NOTICE).startswith("Kept:"))
    page.click("#last")
    wait_for("the one before is kept, or it is told why not", lambda: page.text(NOTICE) != "")


def recordings(page, box):
    folder = box.folder / "recordings"
    folder.mkdir(exist_ok=True)
    (folder / "Old.mp3").write_bytes(b"\xff\xfb\x90\x64" + bytes(413))
    (folder / "Old.cue").write_text('TITLE "One"\nFILE "Old.mp3" MP3\n')
    page.view("recordings")
    button = "#view button[aria-label='Rename: {}']"
    wait_for("the recording is listed", lambda: len(page.all(button.format("Old.mp3"))) == 1)
    page.click(button.format("Old.mp3"))
    old = page.js("return document.getElementById('new-name').value")
    check(old == "Old", "the old name is offered without its ending")
    page.write("#new-name", "../New")
    page.click("#rename [type=submit]")
    wait_for("a path is refused with a sentence", lambda: "without \"/\"" in page.text(NOTICE))
    page.write("#new-name", "New <b>")
    page.click("#rename [type=submit]")
    wait_for("the recording gets the new name", lambda: (folder / "New _b_.mp3").exists())
    wait_for("which is shown", lambda: page.text(NOTICE) == "Renamed: New _b_.mp3" and len(page.all("#rename")) == 0)
    wait_for("the focus goes with it", lambda: page.js(
        "return document.activeElement.getAttribute('aria-label')") == "Rename: New _b_.mp3")
    check(not (folder / "Old.mp3").exists() and not (folder / "Old.cue").exists(), "the old names are gone")
    check((folder / "New _b_.cue").read_text() == 'TITLE "One"\nFILE "New _b_.mp3" MP3\n', "the cue sheet follows")
    page.click("#view button[aria-label='Remove: New _b_.mp3']")
    page.click("dialog .strong")
    wait_for("it is removed", lambda: not (folder / "New _b_.mp3").exists() and not (folder / "New _b_.cue").exists())


def sleep(page, box):
    page.view("radio")
    page.js("const s = document.getElementById('sleep'); s.value = '30'; s.dispatchEvent(new Event('change'))")
    wait_for("the sleep timer is set", lambda: box.told("sleep_minutes") == "30")
    Wire(box.socket).ask("radio_sleep 42")
    wait_for("another client's timer is shown", lambda: page.js(
        "return document.getElementById('sleep').selectedOptions[0].textContent") == "Sleep in 42 min")
    page.js("const s = document.getElementById('sleep'); s.value = '0'; s.dispatchEvent(new Event('change'))")
    wait_for("and switched off", lambda: box.told("sleep_minutes") is None)


def presets(page, box):
    page.view("presets")
    page.click("#edit-2")
    page.write("#edit-form-2-name", "Second")
    page.click("#edit-form-2 [type=submit]")
    wait_for("a preset gets another name", lambda: box.presets() == ["One", "Second"])
    page.write("#new-name", "Third <b>")
    page.write("#new-url", box.stage.mp3 + "?third")
    page.click("#new [type=submit]")
    wait_for("one is added", lambda: box.presets() == ["One", "Second", "Third <b>"])
    wait_for("and shown as it is called", lambda: "Third <b>" in page.text("#view .rows"))
    check(page.js("return document.querySelectorAll('#view b').length") == 0, "a name is never markup")
    page.js("document.getElementById('grip-3').focus()")
    page.keys("#grip-3", Keys.ARROW_UP)
    wait_for("an arrow key moves it", lambda: box.presets() == ["One", "Third <b>", "Second"])
    wait_for("the focus goes with it", lambda: page.js("return document.activeElement.id") == "grip-2")
    page.click("#down-1")
    wait_for("a button moves one", lambda: box.presets() == ["Third <b>", "One", "Second"])
    wait_for("which is shown", lambda: page.text("#view .rows li:nth-child(2)").startswith("2 One"))
    drag_row(page, 3, 1)
    wait_for("a drag moves one", lambda: box.presets() == ["Second", "Third <b>", "One"])
    wait_for("which is shown", lambda: page.text("#view .rows li:nth-child(3)").startswith("3 One"))
    page.click("#remove-2")
    page.click("dialog button:last-child")
    check(box.presets() == ["Second", "Third <b>", "One"], "no removes nothing")
    page.click("#remove-2")
    page.click("dialog .strong")
    wait_for("yes does", lambda: box.presets() == ["Second", "One"])
    import_and_export(page, box)


def drag_row(page, number, to):
    """Drags a preset by its handle to the position of another."""
    page.js("window.scrollTo(0, 0)")
    middle = lambda n: page.js(  # noqa: E731
        "const r = document.getElementById(arguments[0]).getBoundingClientRect();"
        "return [r.left + r.width / 2, r.top + r.height / 2]", f"grip-{n}")
    (x, begin), (_, end) = middle(number), middle(to)
    mouse = lambda kind, y, **more: page.cdp(  # noqa: E731
        "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", **more)
    mouse("mousePressed", begin, clickCount=1)
    for step in range(1, 11):
        mouse("mouseMoved", begin + (end - 12 - begin) * step / 10, buttons=1)
    mouse("mouseReleased", end - 12, clickCount=1)


def import_and_export(page, box):
    mp3 = box.stage.mp3
    lists = {
        "a.m3u": f"#EXTM3U\n#EXTINF:-1,From M3U\n{mp3}?m3u\n{mp3}\nfile:///etc/passwd\nhttp://[\n",
        "b.pls": f"[playlist]\nFile1={mp3}?pls\nTitle1=From PLS\nNumberOfEntries=1\n",
        "c.opml": f'<?xml version="1.0"?><opml version="1.0"><body><outline text="A"><outline type="audio"'
                  f' text="From OPML &amp; more" URL="{mp3}?opml"/></outline></body></opml>',
    }
    expected = box.presets()
    for name, text in lists.items():
        (box.stage.folder / name).write_text(text)
        page.one("#file").send_keys(str(box.stage.folder / name))
        expected.append({"a": "From M3U", "b": "From PLS", "c": "From OPML & more"}[name[0]])
        wait_for(f"{name} is read in the page", lambda: page.text("dialog p") == "Add 127.0.0.1? (1)")
        page.click("dialog .strong")
        wait_for(f"its station is added: {expected[-1]}", lambda: box.presets() == expected)
    wait_for("the same file can be chosen again", lambda: page.one("#file").get_attribute("value") == "")
    page.js("window.saved = new Promise((done) => { const make = URL.createObjectURL; URL.createObjectURL ="
            " (blob) => { blob.text().then(done); return make.call(URL, blob); }; })")
    page.click("#export")
    text = page.driver.execute_async_script("window.saved.then(arguments[0])")
    check(text.startswith("#EXTM3U\n") and "#EXTINF:-1,One\n" + mp3 + "\n" in text, "the presets are written as M3U")
    while len(box.presets()) > 2:
        Wire(box.socket).ask("radio_preset remove 3")
    wait_for("what another client removes goes", lambda: len(page.all("#view .sorted > li")) == 2)


def find(page, box):
    page.view("find")
    if not box.has_directory:
        page.click("#view .directory .strong")
        wait_for("without a service it says what to do", lambda: "find --update" in page.text("#view"))
        return
    wait_for("the start lists what is near the radio", lambda: page.all("#view .rows li") != [])
    page.click("[data-list=genres]")
    wait_for("genres are listed", lambda: page.all("#view .folders button") != [])
    page.click("#view .folders li:first-child button")
    wait_for("a genre has stations", lambda: page.all("#view .rows li strong") != [] and "‹ Genres" in page.text("#view"))
    page.click("#view .plain[type=button]")
    wait_for("and leads back", lambda: page.all("#view .folders button") != [])
    page.write("#words", "jazz")
    page.keys("#words", Keys.ENTER)
    wait_for("stations are found", lambda: "4 stations" in page.text("#view"))
    page.click("#view .rows li:nth-child(2) .strong")
    wait_for("one is heard", lambda: box.told("station") == "Nachtjazz" and box.is_heard(0.3))
    page.click("#view .rows li:nth-child(2) button:not(.strong)")
    wait_for("and kept", lambda: box.presets()[-1] == "Nachtjazz")
    Wire(box.socket).ask("radio_preset remove Nachtjazz")
    box.child.end()
    wait_for("what a radio found that is gone goes too", lambda: page.all("#view .rows li") == []
             and "4 stations" not in page.text("#view"))
    box.start()
    wait_for("the radio is back", lambda: page.text("#state") != "The radio is not running", 30)
    check(page.all("#view .rows li") == [], "and has found nothing yet")


def settings(page, box):
    page.view("settings")
    wait_for("all settings are there", lambda: len(page.all("#view .setting")) >= 26)
    check(page.text("#language") != "" and "English" in page.text("#language"), "words have names")
    page.click("#view details > summary")
    check("between 100 and 5000 ms" in page.text("#panel-scroll_ms-help"), "each has its sentence")
    check("after a restart" in page.text("[for=audio-start_volume_max]")
          and "restart" not in page.text("[for=panel-scroll_ms]"), "which counts from the next start is told before")
    page.write("#panel-scroll_ms", "200")
    page.keys("#panel-scroll_ms", Keys.TAB)
    wait_for("a number is set", lambda: box.setting("panel.scroll_ms") == "200")
    wait_for("which is told", lambda: page.text("#panel-scroll_ms-answer") == "Changed")
    page.write("#panel-scroll_ms", "20")
    page.keys("#panel-scroll_ms", Keys.TAB)
    wait_for("one out of range is not", lambda: "100" in page.text("#panel-scroll_ms-answer"))
    check(box.setting("panel.scroll_ms") == "200", "and changes nothing")
    page.write("#audio-buffer_ms", "60")
    page.keys("#audio-buffer_ms", Keys.TAB)
    wait_for("the radio's own refusal is told", lambda: "two periods" in page.text("#audio-buffer_ms-answer"))
    page.click("#panel-idle_clock")
    wait_for("a switch switches", lambda: box.setting("panel.idle_clock") == "false")
    page.js("const s = document.getElementById('directory-relocate'); s.value = 'never';"
            "s.dispatchEvent(new Event('change'))")
    wait_for("a choice is taken", lambda: box.setting("directory.relocate") == "never")
    page.write("#timezone", "Europe/Paris")
    page.keys("#timezone", Keys.TAB)
    wait_for("and a time zone", lambda: box.setting("timezone") == "Europe/Paris")
    page.write("#panel-scroll_ms", "300")
    page.keys("#panel-scroll_ms", Keys.TAB)
    wait_for("it is set anew", lambda: box.setting("panel.scroll_ms") == "300")
    for key in ("panel-scroll_ms", "panel-idle_clock", "directory-relocate", "timezone"):
        page.js("document.getElementById(arguments[0]).closest('.field').querySelector('button').click()", key)
    wait_for("the default comes back", lambda: box.setting("panel.scroll_ms") == "350" and page.js(
        "return document.getElementById('panel-scroll_ms').value") == "350")
    page.write("#audio-start_volume_max", "50")
    page.keys("#audio-start_volume_max", Keys.TAB)
    wait_for("what counts from the next start says so",
             lambda: "after a restart" in page.text("#audio-start_volume_max-answer"))


def health(page, box):
    page.view("health")
    wait_for("all is well", lambda: page.text(".verdict") == "No problems")
    wait_for("the display is shown", lambda: box.told("station") in page.text(".display"))
    Wire(box.socket).ask(f"radio_tune http://127.0.0.1:{box.stage.port}/gone")
    wait_for("a station that is not there is told in words", lambda: "Station not found" in page.text(".verdict"))
    wait_for("also on the dial", lambda: page.text("#state") == "Station not found")
    Wire(box.socket).ask("radio_tune 1")
    wait_for("and its end", lambda: page.text(".verdict") == "No problems")


def guest(page, box):
    page.view("radio")
    Wire(box.socket).ask("radio_suspend AirPlay 60")
    wait_for("a guest is reported", lambda: page.text("#state") == "AirPlay is playing" and page.is_shown("#guest"))
    page.click("#guest")
    wait_for("the sound is taken back", lambda: box.told("suspended") == "0" and box.is_heard(0.3))


def languages(page, box):
    page.click("#tongue")
    wait_for("it speaks German", lambda: page.text("#keep") == "Titel sichern" and page.text("#tongue") == "English")
    page.driver.refresh()
    wait_for("and remembers that", lambda: page.text("#keep") == "Titel sichern")
    page.click("#tongue")
    wait_for("and English again", lambda: page.text("#keep") == "Keep this song")


def losses(page, box):
    box.web.end()
    wait_for("a lost connection is told", lambda: "Connection lost" in page.text("#lost"))
    box.serve()
    wait_for("it comes back, or asks for the code", lambda: not page.is_shown("#lost") or page.is_shown("#code"), 30)
    if page.is_shown("#code"):
        page.sign_in(box)
    wait_for("the panel is there", lambda: page.text("#station") == box.told("station"))
    box.child.end()
    wait_for("a radio that is gone is told", lambda: page.text("#state") == "The radio is not running", 20)
    box.start()
    wait_for("and comes back", lambda: page.text("#state") != "The radio is not running", 30)


def sign_out(page, box):
    page.view("settings")
    wait_for("one can sign out", lambda: page.is_shown("#sign-out"))
    page.click("#sign-out")
    wait_for("which asks for the code", lambda: page.is_shown("#code") and not page.is_shown("#play"))
    page.driver.refresh()
    wait_for("also after a reload", lambda: page.is_shown("#code"))


def drive(stage):
    box = WebBox(stage, settings=f'[recording]\npath = "{stage.folder}/box/recordings"\n')
    with Page() as page:
        parts = (sign_in, play, orders, volume, time_shift, record, recordings, sleep, presets, find, settings, health,
                 guest, languages, losses, sign_out)
        for work in parts:
            if sys.argv[2:] and work.__name__ not in ("sign_in", *sys.argv[2:]):
                continue
            print(f"-- {work.__name__}", flush=True)
            try:
                work(page, box)
            except Exception as error:  # The other checks must run nevertheless.
                check(False, f"{work.__name__}: {type(error).__name__}: {str(error).splitlines()[0]}")
            if work is not sign_in and work is not sign_out:
                page.view("radio")
        expected = ("401", "409", "403", "ERR_", "Failed to load resource")
        strange = [line for line in page.complaints() if not any(word in line for word in expected)]
        check(strange == [], f"the browser complains of nothing {strange}")


if __name__ == "__main__":
    if is_able("controls.py"):
        run(drive)
    sys.exit(0)
