import Foundation

/// A server on a free loopback port that sends MQTT or any other bytes, as a test requires.
public final class FakeBroker: @unchecked Sendable {
  /// Serves a connection. The descriptor is closed afterwards.
  public typealias Act = @Sendable (_ descriptor: Int32) -> Void

  /// The port of the server.
  public let port: Int
  private let listener: Int32
  private let lock = NSLock()
  private var visits = 0
  private var isClosed = false

  /// Serves each connection with `act` on its own thread.
  public init(_ act: @escaping Act) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    port = try Mosquitto.bind(listener)
    guard listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [weak self] in
      defer {
        self?.lock.withLock { self?.isClosed = true }
        Glibc.close(listener)
      }
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        guard let self else { return }
        lock.withLock { self.visits += 1 }
        Thread.detachNewThread {
          act(descriptor)
          Glibc.close(descriptor)
        }
      }
    }
  }

  /// Number of connections so far.
  public var visitCount: Int { lock.withLock { visits } }

  /// Stops accepting connections. A second call does nothing, because the socket's number may already belong to another
  /// socket.
  public func close() {
    lock.withLock {
      if !isClosed { shutdown(listener, Int32(SHUT_RDWR)) }
      isClosed = true
    }
  }

  /// Reads CONNECT and accepts the client. Returns the common start of the client's topics, from its will.
  @discardableResult
  public static func acceptClient(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    send(descriptor, [0x20, 2, 0, 0])
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return text.firstMatch(of: /bakelite\/[0-9a-f]+/).map { String($0.0) } ?? ""
  }

  /// Sends all bytes. Returns false if the client disconnected.
  @discardableResult
  public static func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  /// Discards received bytes until the client disconnects.
  public static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// Returns a PUBLISH at QoS 0 (MQTT 3.1.1, 3.3).
  public static func publish(_ topic: String, _ payload: [UInt8]) -> [UInt8] {
    var length = 2 + topic.utf8.count + payload.count
    var head: [UInt8] = [0x30]
    repeat {
      head.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
      length >>= 7
    } while length > 0
    return head + [UInt8(topic.utf8.count >> 8), UInt8(topic.utf8.count & 0xFF)] + Array(topic.utf8) + payload
  }
}
