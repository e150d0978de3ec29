import CLinux
import Glibc
import System
import Units

/// A non-blocking TCP connection.
struct ServerConnection: ~Copyable {
  enum Reading: Equatable {
    case bytes(Int)
    case none
    case ended
  }

  private let socket: Descriptor

  private static let maxAddresses = 4
  /// Timeout of the connect to each address.
  private static let patience = Duration(milliseconds: 5_000)
  /// Interval for polling `isWanted` while connecting.
  private static let slice = Duration(milliseconds: 250)

  /// Connects to a server (`getaddrinfo(3)`, `connect(2)`). The name look-up may block. Throws early if `isWanted`
  /// returns false.
  init(
    _ server: ServerAddress, port: UInt16, _ clock: Clock, while isWanted: () -> Bool
  ) throws(RoomFault) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(server.host, "\(server.port ?? port)", &hints, &found)
    guard code == 0, let found else { throw .unknownHost(code: code) }
    defer { freeaddrinfo(found) }
    var problem = ECONNREFUSED
    for address in sequence(first: found, next: { $0.pointee.ai_next }).prefix(Self.maxAddresses) where isWanted() {
      let socket = Self.open(address.pointee)
      problem = Self.connect(socket.raw, address.pointee, clock, while: isWanted)
      if problem == 0 {
        self.socket = socket
        return
      }
    }
    throw .unreachable(errno: problem)
  }

  var descriptor: Int32 { socket.raw }

  /// Opens a socket with keepalive probes after a minute of silence (`tcp(7)`).
  private static func open(_ address: addrinfo) -> Descriptor {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Descriptor(Glibc.socket(address.ai_family, type, 0))
    set(socket.raw, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(socket.raw, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
    set(socket.raw, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 20)
    set(socket.raw, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    set(socket.raw, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    return socket
  }

  private static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Returns 0 or an error number.
  private static func connect(_ socket: Int32, _ address: addrinfo, _ clock: Clock, while isWanted: () -> Bool) -> Int32
  {
    guard Glibc.connect(socket, address.ai_addr, address.ai_addrlen) != 0 else { return 0 }
    guard errno == EINPROGRESS else { return errno }
    let end = clock.now() + patience
    while isWanted(), clock.now() < end {
      guard bk_wait_writable(socket, clock.realMilliseconds(slice.milliseconds)) > 0 else { continue }
      var problem: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &length)
      return problem
    }
    return ETIMEDOUT
  }

  /// Sends a line (`send(2)`). Returns false if the kernel does not accept the whole line at once. Since lines are
  /// short, the connection is then broken.
  func send(_ line: String) -> Bool {
    var line = line
    return line.withUTF8 { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count }
  }

  /// Reads available data (`recv(2)`).
  func read(into bytes: inout [UInt8]) -> Reading {
    let count = recv(socket.raw, &bytes, bytes.count, 0)
    if count > 0 { return .bytes(count) }
    return count < 0 && [EAGAIN, EINTR].contains(errno) ? .none : .ended
  }
}
