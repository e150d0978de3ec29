import Glibc
import System

/// A client's connection to a running radio over its Unix socket, on which nothing is waited for: whoever has it polls
/// its descriptor. It belongs to one thread.
public final class ControlChannel {
  /// What a piece of reading gave.
  public enum Reading: Equatable {
    /// So many bytes.
    case bytes(Int)
    /// None now.
    case none
    /// The radio hung up.
    case ended
  }

  private let socket: Descriptor
  private var unsent: [UInt8] = []

  /// Connects to the radio that serves a path (`connect(2)`).
  public init(_ path: String) throws(ControlConnection.Failure) {
    var found: Int32?
    do throws(ControlError) { found = try UnixSocket.connect(to: path, within: nil) } catch { errno = ENAMETOOLONG }
    guard let found else { throw errno == EAGAIN ? .silent(path) : .noRadio(path, errno: errno) }
    socket = Descriptor(found)
  }

  /// Can be read when something came, and written when there is room.
  public var descriptor: Int32 { socket.raw }

  /// Whether something waits to be sent.
  public var isSending: Bool { !unsent.isEmpty }

  /// Sends text, or as much of it as there is room for (`send(2)`); called again with "" it goes on. False where the
  /// radio hung up.
  public func send(_ text: String) -> Bool {
    unsent += text.utf8
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return count < 0 && [EAGAIN, EINTR].contains(errno) }
      unsent.removeFirst(count)
    }
    return true
  }

  /// Reads what is there (`recv(2)`).
  public func read(into bytes: inout [UInt8]) -> Reading {
    let count = recv(socket.raw, &bytes, bytes.count, 0)
    if count > 0 { return .bytes(count) }
    return count < 0 && [EAGAIN, EINTR].contains(errno) ? .none : .ended
  }
}
