import Glibc
import System

/// A client's non-blocking connection to a running radio. The caller polls `descriptor`, from one thread only.
public final class ControlChannel {
  /// The result of a read.
  public enum Reading: Equatable {
    case bytes(Int)
    /// The read would block.
    case none
    /// The radio closed the connection.
    case ended
  }

  private let socket: Descriptor
  private var unsent: [UInt8] = []

  /// Connects to the radio at `path` (`connect(2)`).
  public init(_ path: String) throws(ControlConnection.Failure) {
    var found: Int32?
    do throws(ControlError) { found = try UnixSocket.connect(to: path, within: nil) } catch { errno = ENAMETOOLONG }
    guard let found else { throw errno == EAGAIN ? .silent(path) : .noRadio(path, errno: errno) }
    socket = Descriptor(found)
  }

  /// The descriptor to poll for input, and for output if `isSending`.
  public var descriptor: Int32 { socket.raw }

  /// True if bytes wait to be sent.
  public var isSending: Bool { !unsent.isEmpty }

  /// Sends text until the socket is full (`send(2)`), and buffers the rest. An empty text sends only buffered bytes.
  ///
  /// Returns false if the radio closed the connection.
  public func send(_ text: String) -> Bool {
    unsent += text.utf8
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return count < 0 && [EAGAIN, EINTR].contains(errno) }
      unsent.removeFirst(count)
    }
    return true
  }

  /// Reads up to `bytes.count` available bytes (`recv(2)`).
  public func read(into bytes: inout [UInt8]) -> Reading {
    let count = recv(socket.raw, &bytes, bytes.count, 0)
    if count > 0 { return .bytes(count) }
    return count < 0 && [EAGAIN, EINTR].contains(errno) ? .none : .ended
  }
}
