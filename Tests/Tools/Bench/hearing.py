"""A radio that plays to a WAV file, and the comparison of the file with a programme of pieces."""
import json
import operator
import subprocess

from links import CODECS, LENGTH, pcm

# Seconds after a join in which a decoder may differ: Opus predicts the loudness of each band from packet to packet.
# libopus needs this time until its output equals that of an uninterrupted decoder.
SETTLING = {"vorbis": 0.0, "opus": 0.5, "flac": 0.0}


class Listener:
    """Runs a radio for a number of seconds. Its audio and events go to files. The callers count the cuts of its
    connection."""

    def __init__(self, binary, run, kind, codec, url, seconds):
        self.kind, self.codec, self.name, self.seconds = kind, codec, f"{kind}-{codec}", seconds
        self.rate, self.cuts, self.faults, self.differ = CODECS[codec][0], 0, [], "?"
        self.wav, self.log, self.told = (run / f"{self.name}.{end}" for end in ("wav", "jsonl", "log"))
        with open(self.told, "wb") as told:
            self.process = subprocess.Popen(
                [binary, "play", "--output", f"wav:{self.wav}", "--events", self.log, "--duration", str(seconds), url],
                stdin=subprocess.DEVNULL, stdout=told, stderr=told)

    def events(self, name):
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [event for event in map(json.loads, lines) if event["event"] == name]

    def expect(self, holds, what):
        if not holds:
            self.faults.append(f"{self.name}: {what}")

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def judge(self, sound, starts, titles, slack):
        """Compares the recording with `sound`, with a tolerance of `slack`/32,768, and compares the titles with their
        start times `starts`. -> a row of the table"""
        code = self.process.wait(1)
        summary = (self.events("summary") or [{}])[-1]
        self.expect(code == 0, f"ended with {code}: {self.told.read_text(errors='replace')[-300:]}")
        for key in ("underruns", "xruns", "rescues", "lost"):
            self.expect(summary.get(key) == 0, f"{key}: {summary.get(key)}")
        self.judge_cuts(summary)
        count = self.judge_sound(sound, starts, slack)
        told = self.judge_titles(titles, starts)
        return [self.name, f"{count / self.rate:.1f}", summary.get("underruns"), told, f"{count:,}", self.differ,
                self.cuts, summary.get("stitches"), summary.get("lost"), summary.get("rssAnonPeak")]

    def judge_cuts(self, summary):
        stitched = self.events("stitched")
        exact = sum(event["exact"] for event in stitched)
        self.expect(summary.get("stitches") == exact == self.cuts,
                    f"{self.cuts} cuts, {summary.get('stitches')} stitches, {exact} of them exact")

    def judge_sound(self, sound, starts, slack):
        """-> number of recorded frames"""
        heard, form = pcm(self.wav)
        count = len(heard) // 2
        self.expect(form == (self.rate, 2), f"rate and channels are {form}")
        self.expect(abs(count - self.seconds * self.rate) <= 1, f"{count:,} frames in {self.seconds} s")
        begin = place(sound, heard, slack)
        if begin is None:
            self.expect(False, "the recording is not part of the programme")
            return count
        # opusdec skips a link's pre-skip even if playback started inside the link.
        skipped = max(0, -begin)
        extra = begin + count - len(sound) // 2
        self.expect(skipped < 0.1 * self.rate and extra <= 0,
                    f"starts at frame {begin}, ends {extra} frames after the programme")
        wrong = differences(heard[2 * skipped:], sound[2 * (begin + skipped):2 * (begin + count)], slack)
        seconds = [(skipped + index / 2) / self.rate for index in wrong]
        settled = max(SETTLING[self.codec], self.until_border((begin + skipped) / self.rate, starts))
        late = [second for second in seconds if second >= settled]
        self.differ = f"{len(wrong):,}"
        if late:
            self.expect(False, f"{len(late)} samples differ, from second {late[0]:.3f} to {late[-1]:.3f}")
        return count

    def until_border(self, begin, starts):
        """Returns the seconds in which another position is no fault: a player that joins on the last page of a Vorbis
        or Opus link cannot know the number of frames to trim at its end."""
        border = next((start - begin for start in starts if start >= begin), 0.0)
        return border if self.codec != "flac" and border < 1 else 0.0

    def judge_titles(self, titles, starts):
        """Checks that each title occurs once, in order, with the distances of the pieces' first samples. -> number of
        titles, as text"""
        events = self.events("metadataChanged")
        told = [event["title"] for event in events]
        first = titles.index(told[0]) if told and told[0] in titles else 0
        self.expect(told and told == titles[first:first + len(told)], f"reported titles: {told}")
        self.expect(len(told) >= self.seconds // LENGTH, f"{len(told)} titles in {self.seconds} s")
        # Playback started inside the first piece.
        ats = [event["at"] - start for event, start in zip(events[1:], starts[first + 1:])]
        # liquidsoap switches in frames of 40 ms, and may lose some frames at a piece's end.
        most = 0.2 * len(ats) if self.kind == "liquidsoap" else 0.001
        spread = max(ats, default=0) - min(ats, default=0)
        self.expect(spread <= most, f"titles are up to {spread:.3f} s apart from their first samples")
        return f"{len(told)}"


def place(sound, heard, slack):
    """Returns the frame of `sound` at which `heard` starts, found with its samples from 1 s to 2 s; None if the
    position is ambiguous."""
    found = range(len(sound) // 2 - 44_100)
    for shift in range(0, 44_100, 441):
        value = heard[2 * (44_100 + shift)]
        found = [at for at in found if -slack <= sound[2 * (at + shift)] - value <= slack]
        if len(found) < 2:
            break
    return found[0] - 44_100 if len(found) == 1 else None


def differences(one, other, slack):
    """Returns the indices of all samples that differ by more than `slack`."""
    found = []
    for at in range(0, len(one), 65_536):
        a, b = one[at:at + 65_536], other[at:at + 65_536]
        if a != b and max(map(abs, map(operator.sub, a, b)), default=0) > slack:
            found += [at + index for index, (x, y) in enumerate(zip(a, b)) if abs(x - y) > slack]
    return found
