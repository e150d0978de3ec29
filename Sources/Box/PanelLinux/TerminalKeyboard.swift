import CLinux
import Glibc

/// The keys of a terminal to which a program writes lines: each arrives when pressed, and is not echoed. One thread;
/// one at a time, and not together with `TerminalPanel`.
///
/// The terminal is used while the process is in its foreground, so that a background radio leaves it to the shell.
/// Ctrl-C and Ctrl-Z stay signals. Uses tcsetattr(3) and tcgetpgrp(3).
public final class TerminalKeyboard {
  /// For poll(2) while `isReady`.
  public let descriptor: Int32
  private var reader: KeyReader
  private var isGone = false

  /// Uses a terminal. Nil if `input` or `output` is not a terminal, such as when the output is piped to a program that
  /// may need the keys. The terminal is restored by `restore`, the deinitializer, or exit(3).
  public init?(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    guard isatty(input) == 1, isatty(output) == 1 else { return nil }
    descriptor = input
    reader = KeyReader(input)
    // Between the check of the foreground and the read, a shell may take the terminal back.
    signal(SIGTTIN, SIG_IGN)
  }

  deinit { restore() }

  /// Restores the terminal. Repeated calls are harmless. Safe in a signal handler.
  public static func restore() { TerminalRescue.restore() }

  /// Restores the terminal.
  public func restore() { Self.restore() }

  /// True if keys can be read; sets up the terminal after the process has entered its foreground. Check before each
  /// wait.
  public var isReady: Bool {
    guard !isGone, !TerminalRescue.isInBackground(descriptor) else { return false }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    // A shell resets the terminal while the process is stopped.
    if settings.c_lflag & tcflag_t(ICANON) == 0 { return true }
    TerminalRescue.store(descriptor, nil, settings)
    return KeyReader.enableRawKeys(descriptor, &settings)
  }

  /// Returns the next key; nil if no key was pressed. Blocks only after a lone escape, at most 25 ms.
  public func next() -> TerminalKey? {
    guard isReady else { return nil }
    do throws(HardwareError) { return try reader.next() } catch {
      isGone = !TerminalRescue.isInBackground(descriptor)
      return nil
    }
  }
}

struct KeyReader {
  private let input: Int32
  private var parser = KeyParser()
  private var bytes: ArraySlice<UInt8> = []
  /// Maximum time for the rest of a key in milliseconds; after that it was the Escape key.
  private static let patience: Int32 = 25

  init(_ input: Int32) { self.input = input }

  /// Makes a terminal send each key at once without echo; Ctrl-C stays a signal. False on failure (tcsetattr(3)).
  static func enableRawKeys(_ input: Int32, _ settings: inout termios) -> Bool {
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    return tcsetattr(input, TCSANOW, &settings) == 0
  }

  /// Returns the next key; nil if no key was pressed. Throws if the terminal is gone.
  mutating func next() throws(HardwareError) -> TerminalKey? {
    // Unknown input is skipped, within a limit.
    for _ in 0..<16 {
      while let byte = bytes.popFirst() {
        if let key = parser.process(byte) { return key }
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
