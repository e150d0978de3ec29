import CLinux
import Glibc
import Json
import System

/// A non-blocking connection to the radio's control socket.
final class RadioSocket {
  private let socket: Descriptor
  private let watch: Int32
  private var lines = LineBuffer(longest: maxLineLength)
  private var unsent: [UInt8] = []
  /// The last descriptor that the radio passed; at most one is retained.
  private var passed: PassedFile?

  /// Maximum length of a line in bytes; titles have up to 4,080.
  private static let maxLineLength = 65_536

  /// Connects to the radio at a path (`connect(2)`), and adds the socket to a poll set; nil if that fails.
  init?(_ path: String, watch: Int32) {
    guard let socket = Self.connected(to: path) else { return nil }
    self.socket = socket
    self.watch = watch
    bk_watch(watch, self.socket.raw, false)
  }

  static func isThere(_ path: String) -> Bool { connected(to: path) != nil }

  private static func connected(to path: String) -> Descriptor? {
    let socket = Descriptor(UnixAddress.socket(SOCK_STREAM, waits: false))
    guard let address = UnixAddress(path), address.with({ connect(socket.raw, $0, $1) }) == 0 else { return nil }
    return socket
  }

  /// Sends text until the socket is full, and buffers the rest. Returns false if the radio has disconnected.
  func send(_ text: String) -> Bool {
    guard !text.isEmpty || !unsent.isEmpty else { return true }
    unsent += text.utf8
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else {
        bk_watch(watch, socket.raw, true)
        return count < 0 && [EAGAIN, EINTR].contains(errno)
      }
      unsent.removeFirst(count)
    }
    bk_watch(watch, socket.raw, false)
    return true
  }

  /// Removes and returns the last passed file.
  func removePassed() -> PassedFile? { passed.take() }

  /// Passes each available line to `take`. Returns false if the radio disconnected, a line is too long, or `take`
  /// fails.
  func read(into room: inout [UInt8], _ take: (String) -> Bool) -> Bool {
    var number: Int32 = -1
    let count = bk_receive_passed(socket.raw, &room, room.count, &number)
    if number >= 0 { passed = PassedFile(Descriptor(number)) }
    guard count > 0 else { return [-Int(EAGAIN), -Int(EINTR)].contains(count) }
    lines.append(room.span.extracting(0..<count))
    do throws(LineBuffer.Overlong) {
      while let line = try lines.next() { if !take(String(decoding: line, as: UTF8.self)) { return false } }
    } catch {
      return false
    }
    return true
  }
}
