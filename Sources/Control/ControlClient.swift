import Glibc

/// One who is connected: what came from him and is no whole line yet, and what he has not read yet.
final class ControlClient {
  let descriptor: Int32
  /// Whether he asked for every event.
  var hearsEvents = false
  /// Whether he is let go when all was sent.
  var isLeaving = false
  private var incoming: [UInt8] = []
  private var outgoing: [UInt8] = []
  private(set) var isGone = false

  /// A longer line is no command.
  static let longestLine = 4_096
  /// Who reads so slowly that more waits for him is let go.
  static let mostOutgoing = 256 * 1_024

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Whether something waits to be sent.
  var isWaiting: Bool { !outgoing.isEmpty }

  /// Reads what has come and hands each whole line to `body`.
  func read(_ body: (ControlClient, ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR {
      isGone = true
      return
    }
    incoming += buffer.prefix(max(0, count))
    while !isGone, !isLeaving, let end = incoming.firstIndex(of: UInt8(ascii: "\n")) {
      let line = incoming[..<end]
      body(self, line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      incoming.removeFirst(end + 1)
    }
    if incoming.count > Self.longestLine { isGone = true }
  }

  /// Sends text, as far as the client takes it now.
  func send(_ text: String) {
    outgoing += text.utf8
    flush()
    if outgoing.count > Self.mostOutgoing { isGone = true }
  }

  /// Sends on what waits.
  func flush() {
    while !outgoing.isEmpty, !isGone {
      let count = outgoing.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        if errno != EAGAIN, errno != EINTR { isGone = true }
        return
      }
      outgoing.removeFirst(count)
    }
    if isLeaving { isGone = true }
  }
}
