import AudioOutput
import CLinux
import Foundation
import Network
import RadioEngine
import TestSupport
import Units

@testable import Control

/// A radio with a null sink, its player, and the control commands.
final class Bench {
  let radio: Radio
  let player: PlayerController
  let context: ControlContext
  let commands: CommandTable
  /// The reported changes, one set for each report.
  private(set) var changes: [Set<Subsystem>] = []
  private(set) var events: [String] = []

  init(_ access: ControlAccess = ControlAccess(), isPaced: Bool = false, hasFallback: Bool = false) throws {
    var settings = RadioSettings()
    settings.blockCount = hasFallback ? 400 : 64
    settings.receivesFirstChoice = hasFallback
    var output = OutputRequest(.null)
    output.isPaced = isPaced
    radio = try Radio(settings, output, clock: TestClock.current.clock)
    player = PlayerController(radio)
    context = ControlContext(player, access)
    commands = CommandTable(RadioCommands.rows(RadioCommands.Facts(version: "1.2.3")), context)
    player.onChange = { [unowned self] in
      changes.append($0)
      context.clients.notify($0)
    }
    radio.onEvent = { [unowned self] event, _ in
      events.append(event.name)
      player.handle(event)
    }
  }

  deinit {
    radio.onEvent = { _, _ in }
    _ = radio.close()
  }

  func client(isLocal: Bool = true) -> Client { Client(ControlSession(commands, isLocal: isLocal), self) }

  /// Adds stations to the queue without playing them.
  func add(_ names: String...) { for name in names { player.add(StationRequest(url: "http://radio.example/\(name)")) } }

  /// The last path component of each address in the queue.
  var names: [String] {
    player.queue.stations.map { String($0.request.url.unredacted.split(separator: "/").last ?? "") }
  }

  /// Runs the radio until `isDone` is true, and returns false after `seconds`.
  func run(_ seconds: Double = 60, until isDone: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !isDone() {
      guard monotonicSeconds() < end else { return false }
      radio.step(Duration(milliseconds: 5))
      player.settle()
    }
    return true
  }
}

/// A client's session, without a socket.
final class Client {
  let session: ControlSession
  private let bench: Bench

  init(_ session: ControlSession, _ bench: Bench) {
    (self.session, self.bench) = (session, bench)
    _ = heard
  }

  /// Removes and returns the output since the last call.
  var heard: String {
    let text = String(decoding: session.client.outgoing, as: UTF8.self)
    session.client.removeSent(session.client.outgoing.count)
    return text
  }

  /// Sends lines and returns the reply.
  func ask(_ text: String) -> String {
    session.receive(Array((text + "\n").utf8))
    session.work()
    var answer = heard
    // A long reply continues when there is room.
    while session.hasWork {
      session.work()
      answer += heard
    }
    bench.player.settle()
    return answer
  }

  /// The reply to a command, as pairs.
  func pairs(_ command: String) -> [(key: String, value: String)] {
    ask(command).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
    }
  }

  func value(_ key: String, of command: String) -> String? { pairs(command).first { $0.key == key }?.value }

  func values(_ key: String, of command: String) -> [String] { pairs(command).filter { $0.key == key }.map(\.value) }
}

/// A server in its own folder, which the test runs.
final class Hall {
  let path: String
  let bench: Bench
  let server: ControlServer

  init(_ access: ControlAccess = ControlAccess(), listen: String = "", isPaced: Bool = false) throws {
    bench = try Bench(access, isPaced: isPaced)
    path = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))").path
    var places = ControlServer.Places(socket: path)
    places.listen = try ListenAddress.list(listen)
    server = try ControlServer(places, bench.commands)
  }

  /// A server at these places. `path`: the Unix socket among them.
  init(_ bench: Bench, _ places: ControlServer.Places, at path: String) throws {
    (self.bench, self.path) = (bench, path)
    server = try ControlServer(places, bench.commands)
  }

  func connect() throws -> Peer {
    let peer = try Peer(path)
    turn()
    return peer
  }

  func turn() { server.attend() }

  /// Runs the server until `isDone` is true, and returns false after `seconds`.
  func attend(for seconds: Double = 60, until isDone: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !isDone() {
      guard monotonicSeconds() < end else { return false }
      var one = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&one, 1, 5)
      turn()
    }
    return true
  }
}

/// A client on a socket.
final class Peer {
  private let descriptor: Int32
  private var heard: [UInt8] = []

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard withUnixAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  /// Listens on a free port of the loopback address; nil if refused.
  static func listen(_ descriptor: Int32) -> UInt16? {
    var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isDone = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 1) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    return isDone ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// Leaves a socket file without a server.
  static func leaveSocket(at path: String) {
    let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    _ = withUnixAddress(path) { bind(dead, $0, $1) }
    close(dead)
  }

  func send(_ text: String) {
    _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Sends the text, and stops early if the server disconnects.
  func sendAll(_ text: String, _ turn: () -> Void) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno != EAGAIN { return }
      rest = rest.dropFirst(max(0, count))
      turn()
    }
  }

  /// All text received so far.
  var text: String {
    take()
    return String(decoding: heard, as: UTF8.self)
  }

  @discardableResult
  private func take() -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 { heard += buffer[..<count] }
    return count
  }

  /// True if the server has disconnected.
  var isAlone: Bool {
    let count = take()
    return count == 0 || count < 0 && errno == ECONNRESET
  }

  /// True if the server has disconnected, without reading pending input.
  var isAloneUnread: Bool {
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&one, 1, 0)
    return one.revents & Int16(POLLHUP) != 0
  }
}
