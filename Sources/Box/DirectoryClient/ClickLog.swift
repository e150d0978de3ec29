import Directory
import Glibc
import System

/// The stations reported to the directory as played, for one day. A small file with a line "UUID SECONDS" for each
/// station.
public struct ClickLog {
  private let path: String

  private static let day: Int64 = 86_400
  /// Maximum number of lines; the oldest are dropped. A line has at most 57 bytes.
  private static let maxLines = 500
  private static let maxLength = 32_768

  /// Uses the file at a path; its folder must exist.
  public init(path: String) { self.path = path }

  /// Records a station. Returns false if it was recorded less than a day ago, or if the file cannot be written. `now`:
  /// seconds since 1970.
  public func recordClick(_ station: StationUuid, at now: Int64) -> Bool {
    let file = Descriptor(open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600))
    var facts = stat()
    guard file.isOpen, fstat(file.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      Self.lock(file.raw)
    else { return false }
    // Unlocks explicitly, because a child process may have inherited the file and would prolong the lock.
    defer { flock(file.raw, LOCK_UN) }
    var lines = Self.recent(Self.read(file.raw), at: now)
    guard !lines.contains(where: { $0.station == station }) else { return false }
    lines.append((station, now))
    let text = lines.suffix(Self.maxLines).map { "\($0.station) \($0.time)\n" }.joined()
    let bytes = Array(text.utf8)
    return pwrite(file.raw, bytes, bytes.count, 0) == bytes.count && ftruncate(file.raw, off_t(bytes.count)) == 0
  }

  /// Waits at most half a second for another program's lock (`flock(2)`).
  private static func lock(_ file: Int32) -> Bool {
    for _ in 0..<50 {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  private static func read(_ file: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: maxLength)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Returns the lines less than a day before or after `now`; the clock may have been wrong.
  private static func recent(_ text: String, at now: Int64) -> [(station: StationUuid, time: Int64)] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let station = StationUuid(String(words[0])), let time = Int64(words[1]) else {
        return nil
      }
      let (age, isOverflow) = now.subtractingReportingOverflow(time)
      return isOverflow || age >= day || age <= -day ? nil : (station, time)
    }
  }
}
