import CLinux
import Framing
import Glibc
import System

/// How much a line of the log matters, as the journal counts (`sd-daemon(3)`).
enum LogLevel: Int { case error = 3, warning = 4, notice = 5, info = 6 }

/// A line for the log, from what only decides what is to be told.
struct LogLine: Equatable {
  /// How much it matters.
  let level: LogLevel
  /// What happened.
  let text: String

  /// Writes it.
  func write() { log(level, text) }
}

/// The log: lines on standard error, where the journal picks them up. The control thread's and its workers'.
enum Log {
  private static let lines = Locked<[String]?>(nil)
  private static let isJournal = getenv("JOURNAL_STREAM") != nil

  /// Keeps lines back while a panel is drawn where they would be written; the last hundred.
  static func hold() { if isatty(2) == 1 { lines.withLock { $0 = $0 ?? [] } } }

  /// Writes what was kept back, and no longer keeps.
  static func release() {
    let held = lines.withLock { lines in
      defer { lines = nil }
      return lines ?? []
    }
    for line in held { write(line) }
  }

  fileprivate static func take(_ level: LogLevel, _ text: String) {
    for line in text.split(separator: "\n") {
      let shown = DisplayText.oneLine(String(line))
      let whole = (isJournal ? "<\(level.rawValue)>" : "bakelited: ") + shown + "\n"
      let isHeld = lines.withLock { lines in
        guard lines != nil else { return false }
        lines?.append(whole)
        if let count = lines?.count, count > 100 { lines?.removeFirst() }
        return true
      }
      if !isHeld { write(whole) }
    }
  }

  private static func write(_ line: String) {
    let bytes = Array(line.utf8)
    _ = bk_write(2, bytes, bytes.count)
  }
}

/// Writes to the log, line by line; control and direction characters are left out.
func log(_ level: LogLevel, _ text: String) { Log.take(level, text) }
