#!/usr/bin/env python3
"""Compares the responses of Bakelite and MPD to the same commands on the same stream.

compare.py BAKELITE

Keys, kinds of values and error codes must be equal. Differences need a reason in the table at the end of
config/CONTROL.md. An unused reason is a failure.
"""
import re
import shutil
import sys
import time

from stage import ROOT, Box, Mpd, Radio, Stage, Wire, check, finish, skip, wait_for

# Commands sent to both while both play the first of two stations.
COMMANDS = [
    "status", "currentsong", "playlistinfo", "playlistid 1", "playlist", "plchanges 0", "plchangesposid 0", "stats",
    "outputs", "commands", "notcommands", "tagtypes", "urlhandlers", "decoders", "replay_gain_status", "getvol",
    "listpartitions", "channels", "config", "playlistfind file {mp3}", "playlistsearch file DEMO", "lsinfo",
    "listplaylists", "listplaylist Presets", "listplaylistinfo Presets", "listplaylist none", "load none",
    "find artist x", "update", "albumart {mp3} 0", "readpicture {mp3} 0", "sticker list song x",
    "seekcur 1", "play 9", "playid x", "setvol 200", "delete 9", "move 0 9", "add bogus://x", "add x", "pause 2",
    "subscribe a", "subscribe a", "readmessages", "nonsense", "single 3", "idle nonsense", "password x", "kill_not x",
    "command_list_ok_begin\nping\nplay x\nping\ncommand_list_end", "addid {aac} 1", "swap 0 1", "swap 0 1", "repeat 1",
    "repeat 0", "pause 1", "status", "pause 0", "next", "previous", "stop", "status", "next", "clear", "status",
    "load Presets", "playlistinfo", "load Presets 0:1 0", "load Presets 1:", "load Presets 0:1 99", "playlist", "clear",
]

# Commands sent to a box with a station directory, and to MPD with the same stations as files.
BROWSING = [
    "lsinfo", "lsinfo /", "lsinfo Radio", "lsinfo Radio/Germany", "lsinfo Radio/Germany/Jazz", "lsinfo Radio/",
    "lsinfo Radio//Germany", "lsinfo ../x", "lsinfo x", "listall Radio/France", "listall nope", "listall ../x",
    "listallinfo Radio/Germany/Jazz", "listfiles Radio", "find title x", "find title Nachtjazz", "find title", "find",
    "find genre Jazz", "find \"(genre == 'Jazz')\"", "find \"(title == 'x'\"", "find title x sort foo",
    "find genre Jazz sort Title window 0:2", "find genre Jazz sort -Title window 1:3", "find title x window 2:1",
    "find title x window x", "find title x window", "find title x window 0:2 sort Title", "search any \"\"",
    "search title PARIS", "search any jazz", "search artist germany", "search \"(title contains 'paris')\"",
    "search \"((genre == 'jazz') AND (!(artist == 'germany')))\"", "search base Radio/Germany", "search base nope",
    "search base /x", "search \"(base 'Radio/Germany/Jazz')\" window 1", "search bogus x",
    "count genre Jazz", "count genre Jazz group artist", "count group artist", "count", "count title x group artist",
    "list title", "list album", "list artist", "list genre", "list album Germany", "list artist x", "list foo",
    "list title genre Jazz group artist", "list title group foo", "list title window 0:1", "list title base Radio/France",
    "findadd title Nachtjazz", "searchadd title paris window 0:1", "searchadd title paris position 0",
    "searchadd title x position 99", "add Radio/Germany/Jazz", "add nope", "addid Radio", "addid nope",
    "searchaddpl x title y", "stats", "update", "clear",
]


def reasons():
    """Returns the table of known differences: (command, difference) and the reason."""
    text = (ROOT / "config/CONTROL.md").read_text().split("## Where it differs from MPD")[1]
    found = {}
    for row in re.findall(r"^\| `.*\|$", text, re.M):
        commands, difference, why = (cell.strip() for cell in row.strip("|").split("|"))
        for command in re.findall(r"`(\w+)`", commands):
            found[command, difference] = why
    return found


def kind(value):
    """Returns the kind of a value."""
    for name, pattern in (("integer", r"-?\d+"), ("decimal", r"-?\d+\.\d+"), ("times", r"\d+:\d+"),
                          ("audio", r"\d+:(\d+|f|dsd):\d"), ("address", r"[a-z]+://.*")):
        if re.fullmatch(pattern, value):
            return name
    return "word"


def shape(lines):
    """Returns a response's keys with the kinds of their values, and its end."""
    keys = {}
    for line in lines[:-1]:
        key, _, value = line.partition(": ")
        keys[re.sub(r"^\d+:", "N:", key)] = kind(value)
    last = re.match(r"ACK \[(\d+@\d+)\] \{(\w*)\}", lines[-1])
    return keys, last.groups() if last else lines[-1]


def differences(ours, theirs):
    """Returns a few words for each difference."""
    (our_keys, our_end), (their_keys, their_end) = shape(ours), shape(theirs)
    found = {f"tells {key}" for key in our_keys.keys() - their_keys.keys()}
    found |= {f"does not tell {key}" for key in their_keys.keys() - our_keys.keys()}
    found |= {f"another kind of {key}" for key in our_keys.keys() & their_keys.keys() if our_keys[key] != their_keys[key]}
    return found | ({"ends otherwise"} if our_end != their_end else set())


def names(lines):
    return {line.partition(": ")[2] for line in lines[:-1]}


def judge(command, our, their, found, why, used):
    """Returns true if each difference has a reason."""
    word = command.split()[0]
    known = {difference for name, difference in why if name == word}
    check(found <= known, f"{command!r}: {', '.join(found) or 'the same'}")
    if not found <= known:
        print(f"      Bakelite: {our}\n      MPD: {their}")
    used |= {(word, difference) for difference in found}


def browse(box, mpd, why, used):
    """Compares the directory's commands, and the number of stations found."""
    ours, theirs = Wire(box.socket), Wire(mpd.socket)
    ours.ask("clear")
    for command in BROWSING:
        our, their = ours.ask(command), theirs.ask(command)
        found = differences(our, their)
        songs = [sum(line.startswith("file: ") for line in lines) for lines in (our, their)]
        if songs[0] != songs[1]:
            found.add("other stations")
        judge(command, our, their, found, why, used)


def main():
    if not shutil.which("mpd"):
        return skip("MPD", "apt-get install mpd")
    stage = Stage(sys.argv[1])
    try:
        radio, mpd = Radio(stage), Mpd(stage)
        ours, theirs = Wire(radio.socket), Wire(mpd.socket)
        check(ours.greeting == theirs.greeting, "the greeting is the same")
        for address in (stage.mp3, stage.aac):
            theirs.ask(f"addid {address}")
        theirs.ask("play")
        wait_for("MPD plays", lambda: any(line.startswith("audio") for line in theirs.ask("status")))
        time.sleep(2)
        why, used = reasons(), set()
        for command in COMMANDS:
            text = command.format(mp3=stage.mp3, aac=stage.aac)
            our, their = ours.ask(text), theirs.ask(text)
            word = command.split()[0]
            found = differences(our, their)
            if word in ("commands", "tagtypes", "urlhandlers"):
                own = {name for name in names(our) if not name.startswith("radio_")}
                check(own <= names(their), f"{word}: ours are MPD's: {own - names(their)}")
            if word == "commands":
                found |= {f"lacks {name}" for name in names(their) - own}
            judge(command, our, their, found, why, used)
            if "HANG UP" in (our[-1], their[-1]):
                ours, theirs = Wire(radio.socket), Wire(mpd.socket)
            if command in ("next", "previous", "pause 0"):
                time.sleep(1.5)
        box = Box(stage)
        if box.has_directory:
            browse(box, Mpd(stage, has_database=True), why, used)
        else:
            skip("browsing", "swift build -c release --product DirectoryBench")
        print(f"{len(COMMANDS) + len(BROWSING)} answers compared.")
        check(used >= set(why), f"all reasons are needed: {set(why) - used}")
    finally:
        stage.close()
    finish()


if __name__ == "__main__":
    main()
