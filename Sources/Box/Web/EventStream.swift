import CMicrohttpd
import Glibc
import Units

/// The events that one page hears (server-sent events).
final class EventStream {
  /// The session of the page.
  let cookie: String
  /// Whether the page was told the whole status.
  var knowsStatus = false
  /// Whether nothing more is sent.
  private(set) var isOver = false

  private var pending: [UInt8]
  private var connection: OpaquePointer?
  private var visitor: Visitor?
  private var isSuspended = false

  /// So much waits for a page at most; one that reads slower goes.
  private static let mostPending = 65_536

  init(cookie: String) {
    self.cookie = cookie
    // A page that loses the connection tries again after so many milliseconds.
    pending = Array("retry: 1000\n\n".utf8)
  }

  /// The page's connection, on which the events are the answer.
  func open(_ connection: OpaquePointer, _ visitor: Visitor) { (self.connection, self.visitor) = (connection, visitor) }

  /// Tells something under a name.
  func tell(_ name: String, _ data: String) { send("event: \(name)\ndata: \(data)\n\n") }

  /// Keeps the connection in use; a page that hears nothing for long knows by that that it is lost.
  func tellNothing() { tell("sign", "{}") }

  private func send(_ text: String) {
    guard !isOver else { return }
    guard pending.count + text.utf8.count <= Self.mostPending else { return end() }
    pending += text.utf8
    resume()
  }

  /// Ends it.
  func end() {
    isOver = true
    visitor?.leave()
    resume()
  }

  /// The connection is gone.
  func close() { (connection, visitor, isOver, isSuspended) = (nil, nil, true, false) }

  /// Whether its page is gone, though nobody has told of that.
  var hasLeft: Bool { visitor.map { $0.hasLeft } ?? false }

  private func resume() {
    guard isSuspended, let connection else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Copies what waits; nil at the end. Where nothing does, the connection rests until something does.
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
