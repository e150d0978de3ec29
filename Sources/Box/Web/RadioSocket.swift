import CLinux
import Glibc
import Json
import System

/// A connection to the radio's control socket, on which nothing is waited for.
final class RadioSocket {
  private let socket: Descriptor
  private let watch: Int32
  private var lines = LineBuffer(longest: longestLine)
  private var unsent: [UInt8] = []

  /// A radio's lines have titles of 4,080 bytes.
  private static let longestLine = 65_536

  /// Connects to the radio at a path (`connect(2)`), and has a set wait for what it says; nil where nobody is there.
  init?(_ path: String, watch: Int32) {
    guard let socket = Self.connected(to: path) else { return nil }
    self.socket = socket
    self.watch = watch
    bk_watch(watch, self.socket.raw, false)
  }

  /// Whether somebody takes connections at a path now.
  static func isThere(_ path: String) -> Bool { connected(to: path) != nil }

  private static func connected(to path: String) -> Descriptor? {
    let socket = Descriptor(UnixAddress.socket(SOCK_STREAM, waits: false))
    guard let address = UnixAddress(path), address.with({ connect(socket.raw, $0, $1) }) == 0 else { return nil }
    return socket
  }

  /// Sends text, or as much of it as there is room for now; false where the radio hung up.
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

  /// Reads what is there, a piece at a time, and gives each line to `take`; false where the radio hung up, or what it
  /// says is no text of lines.
  func read(into room: inout [UInt8], _ take: (String) -> Bool) -> Bool {
    let count = recv(socket.raw, &room, room.count, 0)
    guard count > 0 else { return count < 0 && [EAGAIN, EINTR].contains(errno) }
    lines.append(room.span.extracting(0..<count))
    do throws(LineBuffer.Overlong) {
      while let line = try lines.next() { if !take(String(decoding: line, as: UTF8.self)) { return false } }
    } catch {
      return false
    }
    return true
  }
}
