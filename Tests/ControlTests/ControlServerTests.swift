import Foundation
import Testing

@testable import Control

/// The socket and those who are connected to it.
@Suite struct ControlServerTests {
  /// A server in a folder of its own, attended by the test.
  private final class Bench {
    let path = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))").path
    let server: ControlServer
    var asked: [ControlRequest] = []

    init() throws { server = try ControlServer(path) }

    func connect() throws -> Peer { try Peer(path) }

    /// Attends until a peer has read so much text, or for a second.
    func attend(until isDone: () -> Bool) -> Bool {
      let end = Date(timeIntervalSinceNow: 2)
      while !isDone() {
        guard Date() < end else { return false }
        var one = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&one, 1, 5)
        server.attend { request in
          asked.append(request)
          var answer = ControlAnswer()
          answer.add("you", request.name)
          return request.name == "no" ? .refused(.failed, "never") : answer
        }
      }
      return true
    }
  }

  /// A client.
  private final class Peer {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    private var heard: [UInt8] = []

    init(_ path: String) throws {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let code = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
      _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    /// All that came so far.
    var text: String {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { heard += buffer[..<count] }
      return String(decoding: heard, as: UTF8.self)
    }

    /// Whether the other side has hung up.
    var isAlone: Bool {
      var byte: UInt8 = 0
      let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
      if count > 0 { heard.append(byte) }
      return count == 0 || count < 0 && errno == ECONNRESET
    }
  }

  @Test func commandsAreAnsweredInTurnHoweverTheyAreCut() throws {
    let bench = try Bench()
    let peer = try bench.connect()
    peer.send("pi")
    #expect(bench.attend { peer.text == "OK MPD 0.23.5\n" })
    peer.send("ng\none \"a b\"\r\nno\n\nbad \"\nradi")
    let expected =
      "OK MPD 0.23.5\nOK\nyou: one\nOK\nACK [52@0] {no} never\nACK [5@0] {} No command given\n"
      + "ACK [2@0] {} The line cannot be read: check its quotes.\n"
    #expect(bench.attend { peer.text == expected })
    #expect(bench.asked.map(\.name) == ["one", "no"])
    #expect(bench.asked.first?.arguments == ["a b"])
    peer.send("o\nclose\nlate\n")
    #expect(bench.attend { peer.isAlone })
    #expect(peer.text == expected + "you: radio\nOK\n")
  }

  @Test func eventsGoToThoseWhoAsked() throws {
    let bench = try Bench()
    let (one, two) = (try bench.connect(), try bench.connect())
    one.send("radio_events\n")
    #expect(bench.attend { one.text.hasSuffix("OK\n") && one.text.count > 15 && !two.text.isEmpty })
    bench.server.tell("{\"event\":\"playing\"}")
    #expect(one.text.hasSuffix("\nOK\n{\"event\":\"playing\"}\n"))
    #expect(two.text == "OK MPD 0.23.5\n")
  }

  @Test func whoDoesNotReadIsLetGo() throws {
    let bench = try Bench()
    let (slow, other) = (try bench.connect(), try bench.connect())
    slow.send("radio_events\n")
    #expect(bench.attend { slow.text.hasSuffix("\nOK\n") })
    let line = String(repeating: "x", count: 1_000)
    for _ in 0..<2_000 { bench.server.tell(line) }
    #expect(
      bench.attend {
        _ = slow.text; return slow.isAlone
      })
    other.send("ping\n")
    #expect(bench.attend { other.text.hasSuffix("\nOK\n") })
  }

  @Test func aLineWithoutAnEndIsNoCommand() throws {
    let bench = try Bench()
    let peer = try bench.connect()
    peer.send(String(repeating: "a", count: 10_000))
    #expect(
      bench.attend {
        _ = peer.text; return peer.isAlone
      })
  }

  @Test func aCrowdIsHeldOff() throws {
    let bench = try Bench()
    var crowd: [Peer] = []
    for _ in 0..<40 {
      crowd.append(try bench.connect())
      _ = bench.attend { true }
      bench.server.attend { _ in .done }
    }
    let greeted = crowd.count { $0.text.hasPrefix("OK MPD") }
    #expect(greeted == ControlServer.mostClients)
    crowd.removeAll()
    #expect(bench.attend { bench.server.clientCount == 0 })
    let late = try bench.connect()
    #expect(bench.attend { late.text.hasPrefix("OK MPD") })
  }

  @Test("A path that cannot be served is refused in a sentence")
  func refusals() throws {
    let bench = try Bench()
    #expect(throws: ControlError.taken(bench.path)) { try ControlServer(bench.path) }
    #expect(throws: ControlError.notASocket("/etc/hostname")) { try ControlServer("/etc/hostname") }
    #expect(throws: ControlError.self) { try ControlServer("/nowhere/at/all") }
    let long = "/tmp/" + String(repeating: "a", count: 200)
    #expect(throws: ControlError.pathTooLong(long)) { try ControlServer(long) }
  }

  @Test func whatADeadRadioLeftIsReplaced() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))").path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    _ = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(dead)
    var server: ControlServer? = try ControlServer(path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o077 == 0)
    #expect(server != nil)
    server = nil
    #expect(access(path, F_OK) != 0)
  }
}
