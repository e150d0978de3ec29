import Foundation
import TestSupport

/// Hears what a service tells its manager (`sd_notify(3)`).
final class ServiceListener {
  private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  private(set) var words: [String] = []

  init(_ path: String) throws {
    let code = withUnixAddress(path) { bind(descriptor, $0, $1) }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(descriptor) }

  /// Waits for words that were not waited for yet, or that come.
  func hears(_ text: String, within seconds: Double = 10) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let place = words.firstIndex(where: { $0.contains(text) }) {
        words.removeFirst(place + 1)
        return true
      }
      let left = deadline - monotonicSeconds()
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, Glibc.poll(&poll, 1, Int32(left * 1_000) + 1) > 0 else { return false }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return false }
      words.append(String(decoding: bytes.prefix(count), as: UTF8.self))
    }
  }
}
