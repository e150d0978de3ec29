"""Judges a join of two encoders by its sound: the places in the programme before and after, steps and silences."""
import array
import functools
import itertools
import operator

PIECE = 3.0  # seconds of a recording that are compared
CERTAIN, LIKELY = 0.97, 0.8  # likeness at the expected second, and within 10 s, that needs no further search
FRAME = 4  # bytes of a frame: 16 bits, two channels


class Sound:
    """Stereo PCM in a file. Reads only the needed parts."""

    def __init__(self, path, rate):
        self.path, self.rate = path, rate
        self.seconds = path.stat().st_size / FRAME / rate if path.exists() else 0
        self.levels = None

    def part(self, start, seconds):
        """Returns interleaved samples."""
        with open(self.path, "rb") as file:
            file.seek(max(0, round(start * self.rate)) * FRAME)
            data = file.read(round(seconds * self.rate) * FRAME)
        return array.array("h", data[:len(data) // FRAME * FRAME])

    def middle(self, start, seconds):
        """Returns the sums of both channels."""
        both = self.part(start, seconds)
        return list(map(operator.add, both[::2], both[1::2]))

    def level(self):
        """Returns the mean level of each hundredth of a second, computed once."""
        if self.levels is None:
            self.levels = [level for second in range(int(self.seconds))
                           for level in levels(self.middle(second, 1), self.rate // 100)]
        return self.levels


def levels(samples, hop):
    return [sum(map(abs, samples[at:at + hop])) / hop for at in range(0, len(samples) - hop + 1, hop)]


def likeness(one, other):
    """Returns the correlation of two rows, -1 to 1."""
    energy = sum(map(operator.mul, one, one)) * sum(map(operator.mul, other, other))
    return sum(map(operator.mul, one, other)) / energy ** 0.5 if energy else 0


def place(programme, recording, start, expected):
    """Returns the second of the programme at second `start` of the recording, and the likeness; zero after its end. The
    search starts at the second `expected`, continues within 10 s, and then in the whole programme."""
    piece = recording.middle(start, PIECE)
    if len(piece) < round(PIECE * recording.rate):
        return 0.0, 0.0
    found, whole, rough = fine_place(programme, piece, expected), programme.level(), None
    around = max(0, int(expected * 100) - 1000)
    for first, last, least in ((around, around + 2000, CERTAIN), (0, len(whole), LIKELY)):
        if found[1] < least:
            rough = rough or levels(piece, recording.rate // 100)
            second = (first + rough_place(whole[first:last + len(rough)], rough)) / 100
            found = max(found, fine_place(programme, piece, second), key=lambda pair: pair[1])
    return found


def fine_place(programme, piece, second):
    """Returns the second of the programme within 15 ms of `second` that is most like the piece, and the likeness."""
    rate = programme.rate
    margin, first = rate * 15 // 1000 // 4 * 4, round(second * rate)
    first = max(0, first - margin)
    around = programme.middle(first / rate, PIECE + 2 * margin / rate)
    # First every fourth place by every 16th sample, then each place near the best one.
    coarse = best(around, piece, range(0, 2 * margin, 4), 16)
    found = best(around, piece, range(max(1, coarse - 6), coarse + 7), 2)
    values = [likeness(around[found + shift:found + shift + len(piece)], piece) for shift in (-1, 0, 1)]
    curve = values[0] - 2 * values[1] + values[2]
    return (first + found + ((values[0] - values[2]) / 2 / curve if curve else 0)) / rate, values[1]


def best(around, piece, shifts, step):
    part = piece[::step]
    return max(shifts, key=lambda at: sum(map(operator.mul, around[at:at + len(piece):step], part)))


def rough_place(whole, piece):
    """Returns the hundredth of a second of the programme that is most like the piece's levels."""
    mean, count = sum(piece) / len(piece), len(piece)
    piece = [value - mean for value in piece]
    sums = list(itertools.accumulate(whole, initial=0))
    squares = list(itertools.accumulate(map(operator.mul, whole, whole), initial=0))

    def fit(at):
        total = sums[at + count] - sums[at]
        spread = squares[at + count] - squares[at] - total * total / count
        return sum(map(operator.mul, whole[at:at + count], piece)) / max(1, spread) ** 0.5
    return max(range(len(whole) - count), key=fit)


def greatest_step(samples):
    """Returns the greatest difference of two successive samples of a channel."""
    return max(map(abs, map(operator.sub, samples[2:], samples)), default=0)


def longest_silence(samples, rate):
    """Returns the seconds of the longest run of digital silence."""
    runs = itertools.groupby(map(lambda left, right: -2 < left < 2 and -2 < right < 2, samples[::2], samples[1::2]))
    return max((sum(1 for _ in run) for silent, run in runs if silent), default=0) / rate


def hear(recording, begun, sent, *programmes):
    """Judges a recording. `begun`, `sent`: seconds of the programme between which the first station sent. `programmes`:
    paths of the first station's programme, the second one's, and of both decoded encodings."""
    recording = Sound(*recording)
    first, other, *decoded = (sound(path, recording.rate) for path in programmes)
    start = place(first, recording, 2, begun + 2)[0] - 2
    end = sent - start
    found = [(place(whole, recording, end + shift, sent + shift), end + shift)
             for whole, shift in ((first, -5.2), (other, 0.5), (other, 3.8))]
    before, after, late = (second - at for (second, _), at in found)
    around = recording.part(end - 2, 4)
    passages = [whole.part(end + start - 2.1, 4.2) for whole in decoded]
    return {
        "at": end, "likeness": [fit for (_, fit), _ in found], "error": after - before,
        "drift": max(abs(before - start), abs(late - after)),
        "step": greatest_step(around) / max(1, *map(greatest_step, passages)),
        "silence": longest_silence(around, recording.rate)
        - max(longest_silence(passage, recording.rate) for passage in passages)}


@functools.cache
def sound(path, rate):
    return Sound(path, rate)
