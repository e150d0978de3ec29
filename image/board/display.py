"""The text on the display, decoded from the bytes on QEMU's I2C bus, and the expected screens."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SENT = re.compile(rb"i2c_send send\(addr:0x27\) data:0x([0-9a-f]+)")
ENABLE, DATA = 4, 1
# Characters of the ROM A00 that are not ASCII, as far as the screens use them.
ROM = {0xFF: "█", 0xA5: "·", 0x7E: "→", 0x7F: "←", 0x5C: "¥"}


def shapes():
    """Returns the characters of Glyph.swift by their dots."""
    source = (ROOT / "Sources/Box/Panel/Display/Glyph.swift").read_text()
    found = {}

    def add(character, lines):
        lines = [int(line.replace("#", "1").replace(".", "0"), 2) for line in lines]
        # If two characters have the same dots, uses the first.
        found.setdefault(tuple(lines + [0] * (8 - len(lines))), character)

    for character, drawing in re.findall(r'Glyph\("(.)", spare: "[^"]+"[^"]*, "([#. ]+)"\)', source):
        add(character, drawing.split())
    for character, drawing in re.findall(r'Glyph\("(.)", spare: "\\"", "([#. ]+)"\)', source):
        add(character, drawing.split())
    for character, line in zip("▏▎▌▊", ["#....", "##...", "###..", "####."]):
        add(character, [line] * 8)
    for number, character in enumerate("▁▂▃▄▅▆▇"):
        add(character, ["....."] * (7 - number) + ["#####"] * (number + 1))
    return found


class Display:
    """A model of an HD44780 of 20×4 with a PCF8574, fed from the bus only."""
    START = (0x00, 0x40, 0x14, 0x54)

    def __init__(self):
        self.port, self.upper, self.is_four_bits = 0, None, False
        self.memory, self.dots = [0x20] * 128, [0] * 64
        self.address, self.is_shape = 0, False
        self.shapes = shapes()

    def feed(self, log):
        """Processes whole lines of QEMU's log."""
        for byte in SENT.findall(log):
            port = int(byte, 16)
            if self.port & ENABLE and not port & ENABLE:
                self.latch(port & DATA, port >> 4)
            self.port = port

    def latch(self, is_data, nibble):
        if not self.is_four_bits:
            if not is_data and nibble == 2:
                self.is_four_bits, self.upper = True, None
            return
        if self.upper is None:
            self.upper = nibble
            return
        value, self.upper = self.upper << 4 | nibble, None
        if is_data:
            self.write(value)
        else:
            self.instruct(value)

    def write(self, value):
        if self.is_shape:
            self.dots[self.address & 63] = value & 0x1F
        else:
            self.memory[self.address] = value
        self.step()

    def step(self):
        """Advances the address; the memory is two lines of 40 characters."""
        self.address += 1
        if not self.is_shape:
            self.address = {0x28: 0x40, 0x68: 0x00}.get(self.address, self.address)

    def instruct(self, value):
        if value & 0x80:
            self.address, self.is_shape = value & 0x7F, False
        elif value & 0x40:
            self.address, self.is_shape = value & 0x3F, True
        elif value & 0xF0 == 0x30:
            self.is_four_bits, self.upper = False, None
        elif value == 1:
            self.memory, self.address, self.is_shape = [0x20] * 128, 0, False
        elif value & 0xFE == 2:
            self.address, self.is_shape = 0, False

    def character(self, code):
        if code < 16:
            start = (code & 7) * 8
            return self.shapes.get(tuple(self.dots[start:start + 8]), "?")
        return ROM.get(code) or (chr(code) if 0x20 <= code < 0x7E else "?")

    def rows(self):
        return ["".join(self.character(code) for code in self.memory[start:start + 20]) for start in self.START]


def golden():
    """Returns the screens of 20×4 by name, from the panel's own tests."""
    source = (ROOT / "Tests/Unit/PanelTests/Golden.swift").read_text().replace("▃", "▄")
    screens = {}
    for name, drawing in re.findall(r'"([^"]+)": """\n(.*?)\n    """', source, re.S):
        screens[name] = [line.strip()[1:21] for line in drawing.split("\n")[1:5]]
    return screens


def alike(rows, golden_rows):
    """Returns true if the rows are equal, apart from numbers, times and the lengths of bars."""
    return [masked(row) for row in rows] == [masked(row) for row in golden_rows]


def masked(row):
    row = re.sub(r"[█▏▎▌▊·]{8,}", "=", row)
    return re.sub(r" *(LIVE|-?\d+:\d\d(:\d\d)?|\d+) *", " 0 ", row).strip()
