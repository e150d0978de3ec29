import CLinux
import Foundation
import PanelLinux
import Testing

/// The panel on a terminal, here a pair of descriptors. Only one panel may exist at a time.
@Suite(.serialized) struct TerminalTests {
  @Test(
    "Keys have names",
    arguments: [
      ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
      ("\u{1B}OA\u{1B}[1;5C", [.up, .right]),
      ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
      (
        "\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}[4~\u{1B}[H\u{1B}[F\u{1B}[3~\u{1B}[2~",
        [.pageUp, .pageDown, .home, .end, .home, .end, .delete, .insert]
      ),
      ("q Ä€😀", [.character("q"), .character(" "), .character("Ä"), .character("€"), .character("😀")]),
      ("\u{1}\u{1B}x", [.character("a", isControl: true), .character("x")]),
      ("\u{1B}", [.escape]),
      ("\u{1B}\u{1B}", [.escape, .escape]),
      ("\u{1B}[200~z\u{1B}[?1;2c!", [.character("z"), .character("!")]),
      ("\u{1B}[" + String(repeating: "1;", count: 500), [TerminalKey](repeating: .character("1"), count: 0)),
    ] as [(String, [TerminalKey])])
  func keysHaveNames(_ bytes: String, _ keys: [TerminalKey]) throws {
    let terminal = try Terminal()
    let panel = try TerminalPanel(input: terminal.child, output: terminal.child)
    terminal.type(Array(bytes.utf8))
    var seen: [TerminalKey] = []
    while let key = try panel.next() { seen.append(key) }
    #expect(keys.isEmpty || seen == keys)
    #expect(try panel.next() == nil)
  }

  @Test func strangeBytesAreNoTrouble() throws {
    let terminal = try Terminal()
    let panel = try TerminalPanel(input: terminal.child, output: terminal.child)
    for byte in 0x80...0xFF as ClosedRange<UInt8> {
      terminal.type([byte, byte, 0x41])
      var last: TerminalKey?
      while let key = try panel.next() { last = key }
      #expect(last == .character("A"), "after \(byte)")
    }
  }

  @Test func onlyLinesThatChangedAreWritten() throws {
    let terminal = try Terminal()
    let panel = try TerminalPanel(input: terminal.child, output: terminal.child)
    _ = terminal.output()
    panel.draw(["+----+", "|one |", "+----+"])
    #expect(terminal.output() == "\u{1B}[2J\u{1B}[1;1H+----+\u{1B}[K\u{1B}[2;1H|one |\u{1B}[K\u{1B}[3;1H+----+\u{1B}[K")
    panel.draw(["+----+", "|two |", "+----+"])
    #expect(terminal.output() == "\u{1B}[2;1H|two |\u{1B}[K")
    panel.draw(["+----+", "|two |", "+----+"])
    #expect(terminal.output() == "")
    panel.draw(["+----+"])
    #expect(terminal.output() == "\u{1B}[2;1H\u{1B}[K\u{1B}[3;1H\u{1B}[K")
    panel.redraw()
    panel.draw(["\u{202E}x\u{7}"])
    #expect(terminal.output() == "\u{1B}[2J\u{1B}[1;1Hx\u{1B}[K")
  }

  @Test func aNewSizeIsDrawnAnew() throws {
    let terminal = try Terminal(columns: 10, rows: 3)
    let panel = try TerminalPanel(input: terminal.child, output: terminal.child)
    #expect(panel.size == (10, 3))
    _ = terminal.output()
    panel.draw(["0123456789abc", "1", "2", "3"])
    #expect(terminal.output() == "\u{1B}[2J\u{1B}[1;1H0123456789\u{1B}[2;1H1\u{1B}[K\u{1B}[3;1H2\u{1B}[K")
    terminal.resize(columns: 12, rows: 2)
    panel.draw(["0123456789abc", "1", "2", "3"])
    #expect(terminal.output() == "\u{1B}[2J\u{1B}[1;1H0123456789ab\u{1B}[2;1H1\u{1B}[K")
  }

  @Test func controlCharactersDoNotReachTheTerminal() throws {
    let terminal = try Terminal()
    let panel = try TerminalPanel(input: terminal.child, output: terminal.child)
    _ = terminal.output()
    panel.draw(["a\u{1B}[31mb\u{9B}c\u{7}\r\nd"])
    #expect(terminal.output() == "\u{1B}[2J\u{1B}[1;1Ha[31mbcd\u{1B}[K")
  }

  @Test func theTerminalIsGivenBackAsItWas() throws {
    let terminal = try Terminal()
    let before = terminal.flags
    do {
      let panel = try TerminalPanel(input: terminal.child, output: terminal.child)
      #expect(terminal.output() == "\u{1B}[?1049h\u{1B}[?25l")
      #expect(terminal.flags.local & tcflag_t(ICANON | ECHO) == 0)
      #expect(terminal.flags.local & tcflag_t(ISIG) != 0, "Ctrl-C stays a signal")
      TerminalPanel.restore()
      panel.restore()
    }
    #expect(terminal.output() == "\u{1B}[?25h\u{1B}[?1049l")
    #expect(terminal.flags == before)
  }

  @Test func aPipeIsRefused() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(throws: HardwareError.noTerminal) { try TerminalPanel(input: ends[0], output: ends[1]) }
    let terminal = try Terminal()
    #expect(throws: HardwareError.noTerminal) { try TerminalPanel(input: terminal.child, output: ends[1]) }
    #expect(
      "\(HardwareError.noTerminal)"
        == "The panel needs a terminal, but the output is not a terminal; run it without a pipe.")
  }

  @Test func aTerminalThatHangsUpIsGone() throws {
    let terminal = try Terminal()
    let panel = try TerminalPanel(input: terminal.child, output: terminal.child)
    terminal.hangUp()
    #expect(throws: HardwareError.gone("The terminal")) { try panel.next() }
  }
}

/// A pseudoterminal with both ends.
private final class Terminal {
  struct Flags: Equatable {
    var local: tcflag_t
    var input: tcflag_t
  }

  let child: Int32
  private var parent: Int32

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    parent = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var (number, isLocked): (CInt, CInt) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2).
    try #require(parent >= 0 && ioctl(parent, 0x4004_5431, &isLocked) == 0 && ioctl(parent, 0x8004_5430, &number) == 0)
    child = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(child >= 0)
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(child)
    hangUp()
  }

  func hangUp() {
    if parent >= 0 { close(parent) }
    parent = -1
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(parent, UInt(TIOCSWINSZ), &size) == 0)
  }

  func type(_ bytes: [UInt8]) { #expect(write(parent, bytes, bytes.count) == bytes.count) }

  /// Returns the output since the last call.
  func output() -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bk_wait_readable(parent, 20) == 1 {
      let count = read(parent, &buffer, buffer.count)
      guard count > 0 else { break }
      all += buffer.prefix(count)
    }
    return String(decoding: all, as: UTF8.self)
  }

  var flags: Flags {
    var settings = termios()
    tcgetattr(child, &settings)
    return Flags(local: settings.c_lflag, input: settings.c_iflag)
  }
}
