#!/usr/bin/env python3
"""Controls a running radio with mpc, python-mpd2, and ncmpcpp in tmux, and checks its audio and the clients' output.

clients.py BAKELITE
"""
import os
import shutil
import subprocess
import sys
import threading
import time

from stage import Box, Radio, Stage, Wire, check, finish, skip, stations, wait_for


def drive_mpc(radio):
    def mpc(*words, host=radio.socket, port="6600"):
        run = subprocess.run(["mpc", "--host", str(host), "--port", str(port), *words], capture_output=True, text=True,
                             timeout=20)
        return run.stdout + run.stderr

    stage = radio.stage
    check("[playing] #1/2" in mpc(), "mpc shows that it plays")
    check("bakelite-demo" in mpc("current"), "mpc shows the station and its title")
    check(radio.is_heard(), "it is heard")
    mpc("pause")
    wait_for("mpc pauses: silence", lambda: "[paused]" in mpc() and radio.is_quiet())
    mpc("play")
    check("[playing]" in mpc() and radio.is_heard(), "mpc plays on: it is heard")
    mpc("toggle")
    wait_for("mpc toggle: silence", radio.is_quiet)
    mpc("toggle")
    loud = radio.loudness()
    mpc("volume", "50")
    check("volume: 50%" in mpc(), "mpc shows the volume")
    quiet = radio.loudness()
    check(0 < quiet < loud / 3, f"and it is heard: {loud:.0f}, then {quiet:.0f}")
    mpc("volume", "0")
    wait_for("at 0 nothing is heard", radio.is_quiet)
    mpc("volume", "+100")
    check("volume:100%" in mpc() and radio.is_heard(), "mpc turns it up again")
    idle = subprocess.Popen(["mpc", "--host", str(radio.socket), "idle", "player"], stdout=subprocess.PIPE, text=True)
    time.sleep(0.3)
    mpc("next")
    check(idle.communicate(timeout=10)[0].strip() == "player", "mpc idle hears of it")
    wait_for("mpc next plays the next station", lambda: "[playing] #2/2" in mpc() and radio.is_heard(0.3))
    mpc("prev")
    wait_for("mpc prev plays the previous", lambda: "[playing] #1/2" in mpc() and radio.is_heard(0.3))
    wait_for("some seconds are held", lambda: "0:1" in mpc("status").split("/")[-1] or held(mpc) > 6)
    mpc("pause")
    mpc("seek", "0:04")
    check("0:04/" in mpc(), "mpc seek goes back in live radio")
    mpc("seek", "-2")
    check("0:02/" in mpc(), "mpc seek -2 too")
    mpc("play")
    check(radio.is_heard(), "and it is heard on from there")
    mpc("add", stage.mp3 + "?second")
    check(mpc("playlist").count("\n") == 3, "mpc adds")
    mpc("move", "3", "1")
    check(mpc("-f", "%file%", "playlist").startswith("station:" + stage.mp3), "mpc moves")
    check("#2/3" in mpc(), "what plays stays current")
    mpc("del", "1")
    check(mpc("playlist").count("\n") == 2 and "#1/2" in mpc(), "mpc deletes")
    check("enabled" in mpc("outputs"), "mpc shows the output")
    mpc("disable", "1")
    wait_for("mpc disables it: silence", lambda: "disabled" in mpc("outputs") and radio.is_quiet())
    mpc("enable", "1")
    check(radio.is_heard(), "mpc enables it: sound")
    check("Uptime" in mpc("stats"), "mpc shows statistics")
    check("incorrect password" in mpc("status", host="wrong@127.0.0.1", port=radio.port), "a wrong password is refused")
    check("permission" in mpc("stop", host="127.0.0.1", port=radio.port), "none permits nothing")
    check(radio.is_heard(), "and nothing stopped")
    check("[playing]" in mpc("status", host="secret@127.0.0.1", port=radio.port), "the right one is taken")
    mpc("stop")
    wait_for("mpc stops: silence", lambda: "[" not in mpc() and radio.is_quiet())
    radio.restart()
    check("[playing] #1/2" in mpc(), "after a restart mpc finds the radio again")


def held(mpc):
    """Returns the buffered seconds displayed by mpc."""
    minutes, seconds = mpc("status").split("\n")[1].split("/")[2].split(" ")[0].split(":")
    return int(minutes) * 60 + int(seconds)


def drive_python(radio, mpd):
    def connect(host=str(radio.socket), port=None):
        client = mpd.MPDClient()
        client.timeout = 10
        client.connect(host, port)
        return client

    client = connect()
    status = client.status()
    check(status["state"] == "play" and float(status["elapsed"]) >= 0, "python-mpd2 reads the status")
    song = client.currentsong()
    check(song["name"] == "bakelite-demo" and song["file"] == radio.stage.mp3, "python-mpd2 reads the station")
    client.pause(1)
    wait_for("pause: silence", lambda: client.status()["state"] == "pause" and radio.is_quiet())
    client.pause(0)
    check(radio.is_heard(), "on: sound")
    heard = []

    def listen():
        other = connect()
        heard.append(other.idle("mixer", "options"))
        other.disconnect()

    thread = threading.Thread(target=listen)
    thread.start()
    time.sleep(0.5)
    client.setvol(70)
    thread.join(10)
    check(heard == [["mixer"]], "idle hears of the volume")
    check(client.status()["volume"] == "70", "the volume is told")
    client.setvol(100)
    number = int(client.addid(radio.stage.aac + "?more"))
    check(client.playlistid(number)[0]["pos"] == "2", "addid")
    client.moveid(number, 0)
    check([s["id"] for s in client.plchanges(0)][0] == str(number), "moveid, plchanges")
    client.prioid(9, number)
    check(client.playlistfind("file", radio.stage.aac + "?more")[0]["prio"] == "9", "prioid, playlistfind")
    client.deleteid(number)
    check(len(client.playlistinfo()) == 2, "deleteid, playlistinfo")
    wait_for("some seconds are held", lambda: float(client.status()["duration"]) > 6)
    client.pause(1)
    client.seekcur(3)
    check(abs(float(client.status()["elapsed"]) - 3) < 0.1, "seekcur 3")
    client.seekcur("-1")
    check(abs(float(client.status()["elapsed"]) - 2) < 0.1, "seekcur -1")
    client.seekcur("+2")
    check(abs(float(client.status()["elapsed"]) - 4) < 0.1, "seekcur +2")
    client.pause(0)
    client.command_list_ok_begin()
    client.status()
    client.currentsong()
    check(len(client.command_list_end()) == 2, "command lists")
    for refused, code in ((lambda: client.play(99), 2), (lambda: client.lsinfo("x"), 50), (lambda: client.save("x"), 5)):
        try:
            refused()
            check(False, f"refused with {code}")
        except mpd.CommandError as error:
            check(f"[{code}@0]" in str(error) or error.errno.value == code, f"refused with {code}")
    remote = connect("127.0.0.1", radio.port)
    try:
        remote.password("wrong")
        check(False, "a wrong password is refused")
    except mpd.CommandError as error:
        check("incorrect password" in str(error), "a wrong password is refused")
    remote.password("secret")
    remote.next()
    wait_for("next, over TCP", lambda: client.status()["song"] == "1" and radio.is_heard(0.3))
    client.previous()
    client.stop()
    wait_for("stop: silence", radio.is_quiet)
    radio.restart()
    try:
        client.status()
    except (mpd.ConnectionError, OSError):
        client.disconnect()
        client.connect(str(radio.socket))
    check(client.status()["state"] == "play", "after a restart it connects anew")


def drive_ncmpcpp(radio):
    def tmux(*words):
        return subprocess.run(["tmux", "-L", "bakelite", *words], capture_output=True, text=True, timeout=20).stdout

    def screen():
        return tmux("capture-pane", "-p", "-t", "n")

    def press(*keys):
        tmux("send-keys", "-t", "n", *keys)

    home = radio.stage.folder / "home"
    (home / ".ncmpcpp").mkdir(parents=True)
    environment = {**os.environ, "HOME": str(home), "TERM": "screen", "LANG": "C.UTF-8"}
    subprocess.run(
        ["tmux", "-L", "bakelite", "-f", "/dev/null", "new-session", "-d", "-s", "n", "-x", "100", "-y", "24",
         f"ncmpcpp -h {radio.socket}; sleep 30"], env=environment, check=True)
    try:
        wait_for("ncmpcpp shows the queue", lambda: screen().count("bakelite-demo") >= 2)
        wait_for("and that it plays", lambda: "Playing" in screen())
        press("p")
        wait_for("p pauses", lambda: "aused" in screen() and radio.is_quiet(0.3))
        press("p")
        wait_for("p goes on", lambda: "Playing" in screen() and radio.is_heard(0.3))
        press("Left")
        wait_for("Left turns the volume down", lambda: value(radio, "volume") == "98")
        wait_for("and it is shown", lambda: "98%" in screen())
        press("Right")
        wait_for("Right turns it up", lambda: value(radio, "volume") == "100")
        press(">")
        wait_for("> plays the next", lambda: radio_song(radio) == "1")
        press("<")
        wait_for("< the previous", lambda: radio_song(radio) == "0")
        wait_for("some seconds are held", lambda: radio.count() and held_seconds(radio) > 6)
        before = elapsed(radio)
        press("b")
        time.sleep(0.7)
        wait_for("b goes back in live radio", lambda: elapsed(radio) < before + 0.6, 5)
        press("s")
        wait_for("s stops", lambda: radio.is_quiet(0.3))
        press("Enter")
        wait_for("Enter plays", lambda: radio.is_heard(0.3))
        press("j")
        press("DC")
        wait_for("Delete takes a station out", lambda: value(radio, "playlistlength") == "1")
        radio.restart()
        wait_for("after a restart it shows the queue again", lambda: value(radio, "playlistlength") == "2"
                 and "Playing" in screen() and screen().count("bakelite-demo") >= 2, 30)
    finally:
        tmux("kill-server")


def drive_presets(box):
    """Uses presets and queue with mpc. Changes of the queue must not change the presets."""
    def mpc(*words):
        run = subprocess.run(["mpc", "--host", str(box.socket), *words], capture_output=True, text=True, timeout=20)
        return run.stdout + run.stderr

    def presets_stay(what):
        check(box.names("listplaylistinfo Presets") == ["One", "Two"], f"{what} leaves the presets alone")

    check(mpc("lsplaylists").split("\n")[:3] == ["Presets", "One", "Two"], "mpc lists the presets as playlists")
    mpc("crop")
    check(box.names("playlistinfo") == ["One"], "mpc crop keeps what plays")
    presets_stay("mpc crop")
    mpc("clear")
    check(mpc("playlist") == "", "mpc clear empties the queue")
    presets_stay("mpc clear")
    mpc("load", "Presets")
    mpc("play", "2")
    wait_for("mpc load and play", lambda: "[playing] #2/2" in mpc())
    mpc("del", "1")
    check(box.names("playlistinfo") == ["Two"], "mpc del")
    presets_stay("mpc del")
    mpc("add", box.stage.mp3 + "?third")
    mpc("move", "2", "1")
    queue = mpc("-f", "%file%", "playlist")
    check(queue.startswith("station:" + box.stage.mp3) and queue.count("\n") == 2, "mpc add and move")
    check("radio_preset" in mpc("save", "Mine") and "radio_preset" in mpc("rm", "One"), "mpc save and rm are refused")
    box.restart()
    check(mpc("-f", "%file%", "playlist") == queue, "the queue survives a restart")
    presets_stay("a restart")
    mpc("clear")
    mpc("load", "One")
    mpc("play")
    wait_for("mpc plays a preset by its name", lambda: "[playing] #1/1" in mpc() and box.names("currentsong") == ["One"])


def drive_directory_mpc(box):
    """Browses and searches the station directory with mpc, and plays from it."""
    def mpc(*words):
        run = subprocess.run(["mpc", "--host", str(box.socket), *words], capture_output=True, text=True, timeout=20)
        return run.stdout + run.stderr

    check(mpc("ls").split("\n")[0] == "Radio", "mpc ls shows the root of the directory")
    check(mpc("ls", "Radio").split() == ["Radio/All", "Radio/France", "Radio/Germany"], "mpc ls Radio shows the countries")
    check(mpc("ls", "Radio/Germany").split("\n")[:2] == ["Radio/Germany/All", "Radio/Germany/Jazz"], "and their genres")
    check(mpc("ls", "Radio/Germany/Jazz").split() == [station[1] for station in stations(box.stage)[:3]], "and stations by votes")
    check(mpc("-f", "%title%", "ls", "Radio/Germany/Pop").strip() == "Kitchen FM", "with their names")
    check("No such directory" in mpc("ls", "Radio/Atlantis"), "mpc ls of no folder is refused")
    check(mpc("-f", "%name%", "search", "any", "cafe mul").strip() == "Café Müller", "mpc search finds by words")
    check(mpc("-f", "%name%", "find", "genre", "News").strip() == "Paris News", "mpc find by a genre")
    check(mpc("-f", "%name%", "search", "(any contains 'jazz')").count("\n") == 4, "mpc search by an expression")
    check(mpc("list", "artist").split() == ["France", "Germany"], "mpc list artist shows the countries")
    check(mpc("list", "genre").split("\n")[:3] == ["Classic rock", "Jazz", "News"], "mpc list genre")
    check(len(mpc("listall").split()) == 6, "mpc listall shows all stations")
    stats = mpc("stats")
    check("Songs:" in stats and stats.split("Songs:")[1].split()[0] == "6", "mpc stats counts them")
    check("bakelite find --update" in mpc("update"), "mpc update says who updates the directory")
    mpc("clear")
    mpc("searchadd", "title", "nacht")
    mpc("findadd", "title", "Kitchen FM")
    check(mpc("playlist").split("\n")[:2] == ["Nachtjazz", "Kitchen FM"], "mpc searchadd and findadd keep the names")
    mpc("play", "2")
    wait_for("what was found plays", lambda: "[playing] #2/2" in mpc() and "Kitchen FM" in mpc("current"))
    mpc("clear")
    mpc("add", "Radio/Germany/Jazz")
    check(mpc("playlist").split("\n")[:3] == ["Kitchen FM", "Nachtjazz", "Café Müller"], "mpc add adds a folder")
    mpc("play", "3")
    wait_for("a station with a query plays", lambda: "[playing] #3/3" in mpc() and "Café Müller" in mpc("current"))
    mpc("clear")
    pipe = subprocess.run(f"mpc --host {box.socket} ls Radio/Germany/Jazz | mpc --host {box.socket} add", shell=True)
    check(pipe.returncode == 0 and mpc("playlist").split("\n")[2] == "Café Müller", "mpc ls | mpc add keeps the names")


def drive_directory_python(box, mpd):
    client = mpd.MPDClient()
    client.timeout = 10
    client.connect(str(box.socket))
    folders = [entry["directory"] for entry in client.lsinfo("Radio") if "directory" in entry]
    check(folders == ["Radio/All", "Radio/France", "Radio/Germany"], "python-mpd2 reads the countries")
    song = client.lsinfo("Radio/Germany/Pop")[0]
    check(song["title"] == song["name"] == "Kitchen FM" and song["genre"] == ["Jazz", "Pop"], "and a station's tags")
    check("time" not in song and "duration" not in song, "a station has no length")
    check([entry["artist"] for entry in client.list("artist")] == ["France", "Germany"], "list")
    groups = client.list("title", "genre", "Jazz", "group", "artist")
    check([g["title"] for g in groups if g["artist"] == "Germany"] == ["Café Müller", "Kitchen FM", "Nachtjazz"]
          and [g["title"] for g in groups if g["artist"] == "France"] == ["Paris Jazz"], "list in groups")
    check([s["name"] for s in client.find("genre", "Jazz", "sort", "Title", "window", "1:3")] == ["Kitchen FM", "Nachtjazz"], "find, sorted, in a window")
    check(client.count("genre", "Jazz")["songs"] == "4", "count")
    check(len([entry for entry in client.listallinfo("Radio") if "file" in entry]) == 6, "listallinfo")
    check([s["name"] for s in client.search("any", "jazz paris")] == ["Paris Jazz"], "search")
    client.clear()
    client.searchadd("base", "Radio/Germany", "title", "kitchen")
    number = int(client.addid(song["file"]))
    check([s["name"] for s in client.playlistinfo()] == ["Kitchen FM", "Kitchen FM"], "searchadd and addid keep names")
    client.playid(number)
    wait_for("addid and playid play", lambda: client.status()["state"] == "play" and client.status()["songid"] == str(number)
             and client.currentsong()["name"] == "Kitchen FM")
    try:
        client.lsinfo("Radio/../x")
        check(False, "no such directory")
    except mpd.CommandError as error:
        check("No such directory" in str(error), "no such directory")
    client.disconnect()


def drive_directory_ncmpcpp(box):
    """Shows the directory in ncmpcpp's browser, search engine and media library, and plays from it."""
    def tmux(*words):
        return subprocess.run(["tmux", "-L", "bakelite", *words], capture_output=True, text=True, timeout=20).stdout

    def screen():
        return tmux("capture-pane", "-p", "-t", "n")

    def press(*keys):
        tmux("send-keys", "-t", "n", *keys)

    Wire(box.socket).ask("clear")
    home = box.folder / "home"
    (home / ".ncmpcpp").mkdir(parents=True)
    environment = {**os.environ, "HOME": str(home), "TERM": "screen", "LANG": "C.UTF-8"}
    subprocess.run(
        ["tmux", "-L", "bakelite", "-f", "/dev/null", "new-session", "-d", "-s", "n", "-x", "100", "-y", "24",
         f"ncmpcpp -h {box.socket}; sleep 30"], env=environment, check=True)
    try:
        wait_for("ncmpcpp is there", lambda: "Playlist" in screen() or "laylist" in screen())
        press("2")
        wait_for("its browser shows the root", lambda: "[Radio]" in screen() or "Radio" in screen())
        press("Enter")
        wait_for("the countries", lambda: "Germany" in screen() and "France" in screen())
        press("Down", "Down", "Down", "Enter")
        wait_for("the genres of one", lambda: "Classic rock" in screen() and "Jazz" in screen())
        press("Down", "Down", "Enter")
        wait_for("and the stations by their names", lambda: "Kitchen FM" in screen() and "Nachtjazz" in screen())
        press("Down", "Down", "Enter")
        wait_for("Enter plays one", lambda: box.value("state") == "play" and box.names("currentsong") == ["Nachtjazz"])
        press("4")
        wait_for("its media library shows the countries", lambda: "France" in screen() and "Germany" in screen())
    finally:
        tmux("kill-server")


def value(radio, key):
    return dict(line.split(": ", 1) for line in Wire(radio.socket).ask("status") if ": " in line).get(key)


def radio_song(radio):
    return value(radio, "song")


def elapsed(radio):
    return float(value(radio, "elapsed") or 0)


def held_seconds(radio):
    return float(value(radio, "duration") or 0)


def main():
    stage = Stage(sys.argv[1])
    try:
        radio = Radio(stage, password="secret")
        if shutil.which("mpc"):
            print("== mpc")
            drive_mpc(radio)
        else:
            skip("mpc", "apt-get install mpc")
        try:
            import mpd
        except ImportError:
            skip("python-mpd2", "pip install python-mpd2")
        else:
            print("== python-mpd2")
            drive_python(radio, mpd)
        if shutil.which("ncmpcpp") and shutil.which("tmux"):
            print("== ncmpcpp")
            drive_ncmpcpp(radio)
        else:
            skip("ncmpcpp in tmux", "apt-get install ncmpcpp tmux")
        box = Box(stage)
        if shutil.which("mpc"):
            print("== mpc, presets and queue")
            drive_presets(box)
        if not box.has_directory:
            skip("browsing the station directory", "swift build -c release --product DirectoryBench")
        else:
            if shutil.which("mpc"):
                print("== mpc, the station directory")
                drive_directory_mpc(box)
            if "mpd" in sys.modules:
                print("== python-mpd2, the station directory")
                drive_directory_python(box, mpd)
            if shutil.which("ncmpcpp") and shutil.which("tmux"):
                print("== ncmpcpp, the station directory")
                drive_directory_ncmpcpp(box)
    finally:
        stage.close()
    finish()


if __name__ == "__main__":
    main()
