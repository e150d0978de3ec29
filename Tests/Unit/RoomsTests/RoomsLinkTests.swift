import Foundation
import System
import TestSupport
import Testing
import Units

@testable import Rooms

final class LinkRig {
  let link: RoomsLink
  private(set) var news = RoomsLink.News()
  private var watched: pollfd

  init(port: Int, speed: Int = 1) throws {
    let address = try #require(ServerAddress("127.0.0.1:\(port)"))
    link = try RoomsLink(address, TestClock(speed: speed).clock)
    watched = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
  }

  deinit { link.finish(within: Duration(milliseconds: 3_000)) }

  /// Waits for `isSo`, and returns false after `seconds`.
  func waits(_ seconds: Double = 10, until isSo: (RoomsLink.News) -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while true {
      news = link.currentNews()
      if isSo(news) { return true }
      guard monotonicSeconds() < end else { return false }
      poll(&watched, 1, 100)
    }
  }

  /// True if news arrives within 100 ms.
  func wakes() -> Bool {
    guard poll(&watched, 1, 100) > 0 else { return false }
    news = link.currentNews()
    return true
  }

  func ends(by fault: RoomFault, within seconds: Double = 10) -> Bool { waits(seconds) { $0.fault == fault } }
}

@Suite(.serialized)
struct RoomsLinkTests {
  private static let groups = [Told.group("g", [Told.client("a"), Told.client("b")])]

  /// A server that replies to requests. `more` runs after the first reply.
  private static func server(_ more: @escaping @Sendable (LineServer.Connection) -> Void = { _ in }) throws
    -> LineServer
  {
    try LineServer { connection in
      guard let line = connection.readLine(), let id = number(of: line) else { return }
      connection.send(Told.status(id, groups) + "\r\n")
      more(connection)
      while let line = connection.readLine() {
        guard let id = number(of: line) else { return }
        let volume = line.components(separatedBy: "\"volume\":").last?.dropLast(2) ?? ""
        connection.send(
          line.contains("SetVolume")
            ? #"{"id":\#(id),"result":{"volume":\#(volume)}}"# + "\n" : Told.status(id, groups) + "\n")
      }
    }
  }

  private static func number(of line: String) -> Int? {
    line.components(separatedBy: "\"id\":").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  @Test("Rooms are reported, an order is shown at once and sent, and the end never waits")
  func orders() throws {
    let server = try Self.server()
    defer { server.close() }
    let rig = try LinkRig(port: server.port)
    #expect(!rig.link.send(RoomOrder("a", volume: 3)))
    #expect(rig.waits { $0.isConnected && $0.list.rooms.count == 2 })
    for volume in 0...50 { #expect(rig.link.send(RoomOrder("a", volume: volume))) }
    #expect(rig.link.currentNews().list[1]?.volume == 50)
    #expect(rig.link.send(RoomOrder("b", isMuted: true)))
    #expect(rig.waits { $0.list[1]?.volume == 50 && $0.list[2]?.isMuted == true && $0.list[2]?.volume == 74 })
  }

  @Test("A closed connection is retried after 1, 2, 4 seconds; its rooms stay, disconnected")
  func again() throws {
    let server = try LineServer { connection in
      guard connection.number != 1, let line = connection.readLine(), let id = Self.number(of: line) else { return }
      connection.send(Told.status(id, Self.groups) + "\n")
      if connection.number == 2 { while connection.readLine() != nil {} }
    }
    defer { server.close() }
    let rig = try LinkRig(port: server.port, speed: 10)
    #expect(rig.ends(by: .closed))
    #expect(rig.news.list.rooms.count == 2 && rig.news.list.rooms.allSatisfy { !$0.isConnected })
    #expect(!rig.link.send(RoomOrder("a", volume: 3)))
    #expect(rig.waits { $0.isConnected && $0.list.rooms.allSatisfy(\.isConnected) } && server.connectionCount == 3)
  }

  @Test("Until a returning server sends its status, its rooms are disconnected and fixed")
  func owing() throws {
    let server = try LineServer { connection in
      guard let line = connection.readLine(), let id = Self.number(of: line) else { return }
      if connection.number == 0 {
        connection.send(Told.status(id, Self.groups) + "\n")
      } else {
        _ = connection.readLine()
      }
    }
    defer { server.close() }
    let rig = try LinkRig(port: server.port)
    #expect(rig.waits { $0.fault == .closed } && rig.waits { _ in server.connectionCount == 2 })
    for _ in 0..<20 {
      #expect(!rig.link.currentNews().isConnected && rig.link.currentNews().list.rooms.allSatisfy { !$0.isConnected })
      usleep(5_000)
    }
  }

  @Test("A missing server, or one without an address, is reported")
  func nowhere() throws {
    let rig = try LinkRig(port: try Loopback.freePort())
    #expect(rig.ends(by: .unreachable(errno: ECONNREFUSED)))
    let link = try RoomsLink(try #require(ServerAddress("no-such-host.invalid")), TestClock().clock)
    let begun = monotonicSeconds()
    link.finish(within: Duration(milliseconds: 3_000))
    #expect(monotonicSeconds() - begun < 4)
  }

  @Test("A server that does not send its status is left after ten seconds")
  func silent() throws {
    let server = try LineServer { while $0.readLine() != nil {} }
    defer { server.close() }
    let rig = try LinkRig(port: server.port, speed: 10)
    #expect(rig.ends(by: .silent) && server.connectionCount == 1)
  }

  /// Invalid replies.
  enum Nonsense: String, CaseIterable {
    case anotherProtocol, noStatus, endlessLine, deepNesting, halfAnswer

    var text: String {
      switch self {
      case .anotherProtocol: "HTTP/1.1 400 Bad Request\r\n\r\n"
      case .noStatus: #"{"id":1,"result":5}"# + "\n"
      case .endlessLine: String(repeating: "x", count: 300_000)
      case .deepNesting: String(repeating: "[", count: 200_000) + "\n"
      case .halfAnswer: #"{"id":1,"result":{"server":{"groups":[{"clients":["#
      }
    }

    var fault: RoomFault {
      switch self {
      case .anotherProtocol, .noStatus: .garbled
      case .endlessLine, .deepNesting: .tooLarge
      case .halfAnswer: .closed
      }
    }
  }

  @Test("A server that sends nonsense is left", arguments: Nonsense.allCases)
  func nonsense(_ nonsense: Nonsense) throws {
    let server = try LineServer { connection in
      _ = connection.readLine()
      guard connection.send(nonsense.text), nonsense != .halfAnswer else { return }
      _ = connection.readLine()
    }
    defer { server.close() }
    let rig = try LinkRig(port: server.port)
    #expect(rig.ends(by: nonsense.fault) && rig.news.list == RoomList())
  }

  @Test("Ten thousand rooms, and that many values, are too many for a message")
  func crowd() throws {
    let clients = (0..<10_000).map { Told.client("c\($0)") }
    let values = "[" + String(repeating: "0,", count: 20_000) + "0]\n"
    let server = try LineServer { connection in
      _ = connection.readLine()
      connection.send(connection.number == 0 ? Told.status(1, [Told.group("g", clients)]) + "\n" : values)
    }
    defer { server.close() }
    let rig = try LinkRig(port: server.port, speed: 10)
    #expect(rig.ends(by: .tooLarge))
    let end = monotonicSeconds() + 10
    while server.connectionCount < 2, monotonicSeconds() < end { usleep(10_000) }
    #expect(rig.ends(by: .tooLarge) && rig.news.list.rooms == [])
  }

  @Test("Ten thousand notifications a second are read slowly, and reported ten times a second")
  func flood() throws {
    let server = try Self.server { connection in
      let lines = (0..<1_000).map { number in
        let volume = #"{"id":"a","volume":{"muted":false,"percent":\#(number % 100)}}"#
        return Told.notification("Client.OnVolumeChanged", volume) + "\r\n"
      }.joined()
      while connection.send(lines) {}
    }
    defer { server.close() }
    let rig = try LinkRig(port: server.port)
    #expect(rig.waits { $0.isConnected })
    let (usage, begun) = (ProcessState.threadSeconds("bk-rooms"), monotonicSeconds())
    var count = 0
    while monotonicSeconds() - begun < 1 { if rig.wakes() { count += 1 } }
    let cost = ProcessState.threadSeconds("bk-rooms") - usage
    #expect((5...15).contains(count), "the holder is woken ten times a second")
    if !Sanitizer.isOn { #expect(cost < 0.3 * Processor.slowness, "\(cost) s of a processor in a second") }
  }
}
