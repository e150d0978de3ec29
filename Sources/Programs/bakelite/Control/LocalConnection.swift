import CLinux
import Glibc
import System

enum LocalConnection {
  /// Connects within a second, plus the lookup of a name. The descriptor is not open on failure.
  static func open(_ host: String, _ port: Int) -> Descriptor {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else { return Descriptor(-1) }
    defer { freeaddrinfo(found) }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Descriptor(Glibc.socket(found.pointee.ai_family, type, 0))
    if connect(socket.raw, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 { return socket }
    guard errno == EINPROGRESS, bk_wait_writable(socket.raw, 1_000) > 0 else { return Descriptor(-1) }
    var problem: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let isAsked = getsockopt(socket.raw, SOL_SOCKET, SO_ERROR, &problem, &length) == 0
    if isAsked, problem == 0 { return socket }
    return Descriptor(-1)
  }

  /// Sends a request and returns the response, at most 128 KiB; empty on failure. Waits two seconds for the first part,
  /// a quarter second for others.
  static func ask(_ socket: borrowing Descriptor, _ words: String) -> String {
    let request = Array(words.utf8)
    guard send(socket.raw, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return "" }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    for number in 0..<32 {
      guard bk_wait_readable(socket.raw, number == 0 ? 2_000 : 250) > 0 else { break }
      let count = recv(socket.raw, &piece, piece.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      answer += piece[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
