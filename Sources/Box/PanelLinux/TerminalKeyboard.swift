import CLinux
import Glibc

/// The keys of a terminal that a program writes its lines to: each comes as it is pressed, and is not shown. One
/// thread's; there is one at a time, and no `TerminalPanel` beside it.
///
/// The terminal is taken while the process is in its foreground, so that a radio that was sent to the background leaves
/// it to the shell. Ctrl-C and Ctrl-Z stay signals. Rests on tcsetattr(3) and tcgetpgrp(3).
public final class TerminalKeyboard {
  /// What poll(2) waits for while `isReady`.
  public let descriptor: Int32
  private var reader: KeyReader
  private var isGone = false

  /// The keyboard of a terminal; nil where `input` or `output` is none, such as when the output is piped to another
  /// program, which may want the keys itself. It is given back by `restore`, at the end of this object, or at exit(3).
  public init?(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    guard isatty(input) == 1, isatty(output) == 1 else { return nil }
    descriptor = input
    reader = KeyReader(input)
    // Between the look at the foreground and the read, a shell may take the terminal back.
    signal(SIGTTIN, SIG_IGN)
  }

  deinit { restore() }

  /// Gives the terminal back as it was; once is enough, more is harmless. A signal's handler may call it.
  public static func restore() { TerminalRescue.restore() }

  /// The same.
  public func restore() { Self.restore() }

  /// Whether keys can be read: takes the terminal where this process has just come to its foreground. To be asked
  /// again before each wait.
  public var isReady: Bool {
    guard !isGone, !TerminalRescue.isInBackground(descriptor) else { return false }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    // A shell sets it anew while the process is stopped.
    if settings.c_lflag & tcflag_t(ICANON) == 0 { return true }
    TerminalRescue.keep(descriptor, nil, settings)
    return KeyReader.takeKeys(descriptor, &settings)
  }

  /// The next key; nil where none was pressed. Only after a lone escape it waits, 25 ms at most.
  public func next() -> TerminalKey? {
    guard isReady else { return nil }
    do throws(HardwareError) { return try reader.next() } catch {
      isGone = !TerminalRescue.isInBackground(descriptor)
      return nil
    }
  }
}

/// Keys out of what a terminal sends.
struct KeyReader {
  private let input: Int32
  private var parser = KeyParser()
  private var bytes: ArraySlice<UInt8> = []
  /// How long the rest of a key may take, in milliseconds: more, and the escape key was pressed.
  private static let patience: Int32 = 25

  init(_ input: Int32) { self.input = input }

  /// Has a terminal send each key at once, and show none; Ctrl-C stays a signal. False where that fails (tcsetattr(3)).
  static func takeKeys(_ input: Int32, _ settings: inout termios) -> Bool {
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    return tcsetattr(input, TCSANOW, &settings) == 0
  }

  /// The next key; nil where none was pressed.
  ///
  /// It throws when the terminal is gone.
  mutating func next() throws(HardwareError) -> TerminalKey? {
    // What means nothing is passed over, but not for ever.
    for _ in 0..<16 {
      while let byte = bytes.popFirst() {
        if let key = parser.take(byte) { return key }
      }
      let patience = parser.isOpen ? Self.patience : 0
      guard bk_wait_readable(input, patience) == 1 else { return parser.end() }
      try fill()
    }
    return nil
  }

  private mutating func fill() throws(HardwareError) {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(input, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { throw .gone("The terminal") }
    bytes = buffer[..<count]
  }
}
