import CLinux
import Glibc

/// A terminal as the panel: draws lines in place and returns keys. One thread; one at a time.
///
/// Uses the terminal's alternate screen, so that the old content returns. Ctrl-C stays a signal. With `suspends`,
/// Ctrl-Z stops the program, and SIGCONT draws the screen again. Uses tcsetattr(3) and ioctl(2) TIOCGWINSZ.
public final class TerminalPanel {
  /// For poll(2): readable when keys were pressed.
  public var descriptor: Int32 { input }

  private let input: Int32
  private let output: Int32
  private let suspends: Bool
  /// The settings before the program.
  private let original: termios
  private var screen = TerminalScreen()
  private var reader: KeyReader

  /// Takes over the terminal. The terminal is restored by `restore`, the deinitializer, or exit(3). `suspends`: true if
  /// SIGTSTP, the signal of Ctrl-Z, stops the program at the next call of `next`.
  public init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, suspends: Bool = false
  ) throws(HardwareError) {
    var settings = termios()
    guard isatty(input) == 1, isatty(output) == 1, tcgetattr(input, &settings) == 0 else { throw .noTerminal }
    self.input = input
    self.output = output
    self.suspends = suspends && TerminalStop.handle()
    original = settings
    reader = KeyReader(input)
    guard takeOver() else { throw .failed("Setting the terminal", errno: errno) }
  }

  /// Sets up the terminal; false with `errno` on failure. In the background the kernel stops the process until the
  /// process is in the foreground (SIGTTOU).
  private func takeOver() -> Bool {
    var settings = original
    TerminalRescue.store(input, output, settings)
    // A stopped program would leave its screen to the shell.
    if !suspends { withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VSUSP)] = 0 } }
    guard KeyReader.enableRawKeys(input, &settings) else { return false }
    write("\u{1B}[?1049h\u{1B}[?25l")
    return true
  }

  deinit { restore() }

  /// Restores the terminal. Repeated calls are harmless. Safe in a signal handler.
  public static func restore() { TerminalRescue.restore() }

  /// Restores the terminal.
  public func restore() { Self.restore() }

  /// The size in characters.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Draws lines from the top; unchanged lines are not rewritten. Lines beyond the screen are cut; a new size is
  /// detected here. `marked`: the index of a line in reverse video.
  public func draw(_ lines: [String], marked: Int? = nil) {
    let (columns, rows) = size
    write(screen.show(lines, marked: marked, columns: columns, rows: rows))
  }

  /// Makes the next call of `draw` draw all lines, after other output on the terminal.
  public func redraw() { screen.forget() }

  /// Returns the next key; nil if no key was pressed. Blocks only after a lone escape, at most 25 ms. Throws if the
  /// terminal is gone. After SIGTSTP stops the program until SIGCONT; the next call of `draw` then draws all lines.
  public func next() throws(HardwareError) -> TerminalKey? {
    if suspends, TerminalStop.isRequested {
      restore()
      TerminalStop.stop()
      guard takeOver() else { throw .gone("The terminal") }
      screen.forget()
    }
    return try reader.next()
  }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard let first = bytes.baseAddress else { return }
      var done = 0
      while done < bytes.count {
        let count = bk_write(output, first + done, bytes.count - done)
        guard count > 0 else { return }
        done += count
      }
    }
  }
}

/// The stop of the program by SIGTSTP, which a terminal sends after Ctrl-Z. Main thread only.
enum TerminalStop {
  nonisolated(unsafe) fileprivate static var isRequested = false

  /// Starts to handle SIGTSTP. Returns false if the signal is ignored, as without a shell with job control.
  static func handle() -> Bool {
    guard !bk_signal_is_ignored(SIGTSTP) else { return false }
    signal(SIGTSTP, requestStop)
    return true
  }

  /// Stops the process until SIGCONT. Returns at once if no shell could continue the process.
  static func stop() {
    signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    isRequested = false
    signal(SIGTSTP, requestStop)
  }
}

private func requestStop(_ number: Int32) { TerminalStop.isRequested = true }

/// The original settings of the terminal, for every kind of program end.
enum TerminalRescue {
  /// On the heap, and initialized before `input` marks it valid.
  nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static var input: Int32 = -1
  nonisolated(unsafe) private static var output: Int32 = -1
  nonisolated(unsafe) private static var isRegistered = false

  /// Stores a terminal's settings; `output` if its screen was switched too.
  static func store(_ input: Int32, _ output: Int32?, _ settings: termios) {
    self.settings.initialize(to: settings)
    self.output = output ?? -1
    self.input = input
    if !isRegistered { atexit { TerminalRescue.restore() } }
    isRegistered = true
  }

  /// True if another job has the terminal, which must then stay untouched. Without a controlling terminal there are no
  /// jobs (tcgetpgrp(3)).
  static func isInBackground(_ input: Int32) -> Bool {
    let foreground = tcgetpgrp(input)
    return foreground >= 0 && foreground != getpgrp()
  }

  /// Calls only functions that are safe in a signal handler (signal-safety(7)).
  static func restore() {
    guard input >= 0 else { return }
    let descriptor = input
    input = -1
    // Show the cursor, then the normal screen.
    let words: StaticString = "\u{1B}[?25h\u{1B}[?1049l"
    // A terminal that does not read would block the end of the program.
    var room = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    if output >= 0, poll(&room, 1, 0) > 0 { _ = bk_write(output, words.utf8Start, words.utf8CodeUnitCount) }
    // Setting a terminal from the background stops the process.
    if !isInBackground(descriptor) { tcsetattr(descriptor, TCSANOW, settings) }
  }
}
