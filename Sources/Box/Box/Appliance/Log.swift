import CLinux
import Framing
import Glibc
import System

/// Severity of a log line, with the journal's numbers (`sd-daemon(3)`).
enum LogLevel: Int { case error = 3, warning = 4, notice = 5, info = 6 }

struct LogLine: Equatable {
  let level: LogLevel
  let text: String

  func write() { log(level, text) }
}

/// The log: lines on standard error, which systemd's journal collects. Writing may block, so only the control thread
/// and its workers may log.
enum Log {
  private static let lines = Locked<[String]?>(nil)
  private static let isJournal = getenv("JOURNAL_STREAM") != nil

  /// Starts to buffer the last 100 lines until `flush`, if standard error is a terminal: the panel is drawn there.
  static func startBuffering() { if isatty(2) == 1 { lines.withLock { $0 = $0 ?? [] } } }

  static func flush() {
    for line in lines.withLock({ $0.take() }) ?? [] { write(line) }
  }

  fileprivate static func emit(_ level: LogLevel, _ text: String) {
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

/// Writes a text line by line, without control and direction characters.
func log(_ level: LogLevel, _ text: String) { Log.emit(level, text) }
