import Foundation

/// A client of a program's control socket.
public final class ControlPeer {
  /// The client's socket.
  public let descriptor: Int32
  private var text = ""

  /// Connects to a program's Unix socket and waits for the greeting.
  public init(_ path: String) throws {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let code = withUnixAddress(path) { connect(descriptor, $0, $1) }
    guard code == 0, waitForReceived("OK MPD 0.23") else { throw POSIXError(.ECONNREFUSED) }
  }

  /// Connects to a program's port on this machine and waits for the greeting.
  public init(port: Int) throws {
    descriptor = Loopback.connection(to: port) ?? -1
    guard waitForReceived("OK MPD 0.23") else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  /// Sends a command. Returns the lines of the response without a final OK; nil on a timeout.
  public func request(_ command: String) -> [String]? {
    text = ""
    send(Array("\(command)\n".utf8))
    guard receive({ $0.hasSuffix("OK\n") || $0.hasPrefix("ACK") && $0.hasSuffix("\n") }) else { return nil }
    return text.split(separator: "\n").map { String($0) }.filter { $0 != "OK" }
  }

  /// Sends bytes without blocking; bytes that do not fit are lost.
  public func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// Returns the response to `radio_status`.
  public func status() -> [String: String] {
    let pairs = (request("radio_status") ?? []).compactMap { line -> (String, String)? in
      line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
    }
    return Dictionary(pairs) { $1 }
  }

  /// Polls until the box's display shows some words. Returns false on a timeout.
  public func waitForDisplay(_ words: String, within seconds: Double = 10) -> Bool {
    let end = monotonicSeconds() + seconds
    while monotonicSeconds() < end {
      if request("radio_display")?.contains(where: { $0.contains(words) }) == true { return true }
      _ = poll(nil, 0, 20)
    }
    return false
  }

  /// Polls until a number in the status fulfils a condition. Returns false after 10 s.
  public func waitForNumber(_ key: String, until isSo: (Double) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      if let figure = status()[key].flatMap({ Double($0) }), isSo(figure) { return true }
      _ = poll(nil, 0, 20)
    }
    return false
  }

  /// Polls until a status value equals `word`. Returns false after 10 s.
  public func waitForValue(_ word: String, _ key: String = "state") -> Bool { waitForStatus(key) { $0 == word } }

  /// Polls until a status value contains `words`. Returns false after 10 s.
  public func waitForText(_ words: String, _ key: String) -> Bool { waitForStatus(key) { $0.contains(words) } }

  private func waitForStatus(_ key: String, _ isSo: (String) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      if status()[key].map(isSo) == true { return true }
      _ = poll(nil, 0, 20)
    }
    return false
  }

  /// Waits until the received text contains `word`. Returns false after 5 s.
  public func waitForReceived(_ word: String) -> Bool { receive { $0.contains(word) } }

  private func receive(_ isDone: (String) -> Bool) -> Bool {
    let end = monotonicSeconds() + 5
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while !isDone(text) {
      var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard monotonicSeconds() < end, poll(&one, 1, 100) >= 0 else { return false }
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 { return false }
      if count > 0 { text += String(decoding: buffer[..<count], as: UTF8.self) }
    }
    return true
  }
}
