import CLinux
import Glibc

/// A terminal that is the panel: it draws lines in place and tells keys. One thread's; there is one at a time.
///
/// It uses the terminal's second screen, so that what stood there before comes back. Ctrl-C stays a signal. Rests on
/// tcsetattr(3) and ioctl(2) TIOCGWINSZ.
public final class TerminalPanel {
  /// What poll(2) waits for: it can be read when keys were pressed.
  public var descriptor: Int32 { input }

  private let input: Int32
  private let output: Int32
  private var screen = TerminalScreen()
  private var reader: KeyReader

  /// Takes the terminal. It is given back by `restore`, at the end of this object, or at exit(3).
  public init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws(HardwareError) {
    var settings = termios()
    guard isatty(input) == 1, isatty(output) == 1, tcgetattr(input, &settings) == 0 else { throw .noTerminal }
    self.input = input
    self.output = output
    reader = KeyReader(input)
    TerminalRescue.keep(input, output, settings)
    // A stopped program would leave its screen to the shell.
    withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 }
    guard KeyReader.takeKeys(input, &settings) else { throw .failed("Setting the terminal", errno: errno) }
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  deinit { restore() }

  /// Gives the terminal back as it was; once is enough, more is harmless. A signal's handler may call it.
  public static func restore() { TerminalRescue.restore() }

  /// The same.
  public func restore() { Self.restore() }

  /// The characters of a line, and the lines.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows lines from the top on; what is unchanged is not written again. Lines that are too long, or too many for
  /// the screen, are cut; a new size is noticed here.
  public func draw(_ lines: [String]) {
    let (columns, rows) = size
    write(screen.show(lines, columns: columns, rows: rows))
  }

  /// Draws all of the next lines, after something else wrote to the terminal.
  public func redraw() { screen.forget() }

  /// The next key; `nil` where none was pressed. Only after a lone escape it waits, 25 ms at most.
  ///
  /// It throws when the terminal is gone.
  public func next() throws(HardwareError) -> TerminalKey? { try reader.next() }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map { bk_write(output, $0 + done, bytes.count - done) } ?? 0
      }
      guard count > 0 else { return }
      done += count
    }
  }
}

/// The terminal as it was: for the end of the program, however it comes.
enum TerminalRescue {
  /// On the heap, and made before `input` says that it counts.
  nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static var input: Int32 = -1
  nonisolated(unsafe) private static var output: Int32 = -1
  nonisolated(unsafe) private static var isRegistered = false

  /// Keeps a terminal's settings; `output` is where a screen was taken too.
  static func keep(_ input: Int32, _ output: Int32?, _ settings: termios) {
    self.settings.initialize(to: settings)
    self.output = output ?? -1
    self.input = input
    if !isRegistered { atexit { TerminalRescue.restore() } }
    isRegistered = true
  }

  /// Whether another job has the terminal, which then is not to be touched; one that is no controlling terminal has no
  /// jobs (tcgetpgrp(3)).
  static func isInBackground(_ input: Int32) -> Bool {
    let foreground = tcgetpgrp(input)
    return foreground >= 0 && foreground != getpgrp()
  }

  /// All that it calls is allowed in a signal's handler (signal-safety(7)).
  static func restore() {
    guard input >= 0 else { return }
    let descriptor = input
    input = -1
    // The cursor, then the first screen.
    let words: StaticString = "\u{1B}[?25h\u{1B}[?1049l"
    if output >= 0 { _ = bk_write(output, words.utf8Start, words.utf8CodeUnitCount) }
    // Whoever sets a terminal from the background is stopped.
    if !isInBackground(descriptor) { tcsetattr(descriptor, TCSANOW, settings) }
  }
}
