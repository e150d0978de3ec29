import Framing
import Glibc
import System
import Units

/// What systemd is told (`sd_notify(3)`): datagrams to the socket that `NOTIFY_SOCKET` names; without it nobody hears.
struct ServiceManager {
  private let path = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
  private var status = ""
  private var nextFeed = MonotonicTime.zero

  /// So often the watchdog wants to be fed: half of what systemd allows; nil where it has none.
  let feedInterval: Duration? = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) }.map {
    Duration(nanoseconds: $0 * 500)
  }

  /// The radio is up.
  func ready() { send("READY=1") }

  /// The settings are being read again.
  func reloading(at now: MonotonicTime) { send("RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1_000)") }

  /// The end has begun.
  func stopping() { send("STOPPING=1") }

  /// What the radio does, in words; told where it changed.
  mutating func tell(_ words: String) {
    guard words != status else { return }
    status = words
    // systemd takes each line as a word of its own.
    send("STATUS=\(DisplayText.oneLine(words, blank: " "))")
  }

  /// When the watchdog is to be fed.
  var feedDue: MonotonicTime { feedInterval == nil ? .never : nextFeed }

  /// Feeds the watchdog where that is due.
  mutating func feed(at now: MonotonicTime) {
    guard let feedInterval, now >= nextFeed else { return }
    nextFeed = now + feedInterval
    send("WATCHDOG=1")
  }

  private func send(_ text: String) {
    guard let path, !path.isEmpty else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (bytes[0] == 0 ? 0 : 1))
    let socket = Descriptor(Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    guard socket.isOpen else { return }
    let words = Array(text.utf8)
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(socket.raw, words, words.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
