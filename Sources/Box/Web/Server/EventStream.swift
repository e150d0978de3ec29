import CMicrohttpd
import Glibc

/// The events of one page (server-sent events).
final class EventStream {
  let cookie: String
  var knowsStatus = false
  private(set) var isOver = false

  private var pending: [UInt8]
  private var connection: OpaquePointer?
  private var visitor: Visitor?
  private var isSuspended = false

  /// Maximum number of pending bytes; a slower page is disconnected.
  private static let maxPendingBytes = 65_536

  init(cookie: String) {
    self.cookie = cookie
    // Sets the page's reconnect delay, in milliseconds.
    pending = Array("retry: 1000\n\n".utf8)
  }

  func open(_ connection: OpaquePointer, _ visitor: Visitor) { (self.connection, self.visitor) = (connection, visitor) }

  func sendEvent(_ name: String, _ data: String) { send("event: \(name)\ndata: \(data)\n\n") }

  /// Sends a keep-alive event. A page without these events for some time knows that the connection is lost.
  func sendKeepAlive() { sendEvent("sign", "{}") }

  private func send(_ text: String) {
    guard !isOver else { return }
    guard pending.count + text.utf8.count <= Self.maxPendingBytes else { return end() }
    pending += text.utf8
    resume()
  }

  func end() {
    isOver = true
    visitor?.leave()
    resume()
  }

  func close() {
    connection = nil
    visitor = nil
    isOver = true
    isSuspended = false
  }

  /// True if the page has closed the connection.
  var hasLeft: Bool { visitor.map { $0.hasLeft } ?? false }

  private func resume() {
    guard isSuspended, let connection else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Copies pending bytes; returns their number, nil after the end. Suspends the connection if no bytes are pending.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
    if isOver { return nil }
    let count = min(room.count, pending.count)
    if count == 0 {
      guard let connection else { return nil }
      isSuspended = true
      MHD_suspend_connection(connection)
      return 0
    }
    room.copyBytes(from: pending[..<count])
    pending.removeFirst(count)
    return count
  }
}
