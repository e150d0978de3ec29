import Foundation
import Network
import RadioEngine
import StationSupport
import TestSupport
import Testing
import Units

@testable import Control
@testable import System

@Suite struct ControlServerTests {
  @Test func clientsAreServedInTurn() throws {
    let hall = try Hall()
    let peer = try hall.connect()
    peer.send("pi")
    #expect(hall.attend { peer.text == "OK MPD 0.23.5\n" })
    peer.send("ng\nfoo\r\nplaylist\nreplay_gain_st")
    let expected = "OK MPD 0.23.5\nOK\nACK [5@0] {} unknown command \"foo\"\nOK\n"
    #expect(hall.attend { peer.text == expected })
    peer.send("atus\nclose\nlate\n")
    #expect(hall.attend { peer.isAlone })
    #expect(peer.text == expected + "replay_gain_mode: off\nOK\n")
  }

  @Test func changesAndEventsComeByThemselves() throws {
    let hall = try Hall()
    let (one, two) = (try hall.connect(), try hall.connect())
    one.send("idle options\n")
    two.send("radio_events\n")
    #expect(hall.attend { two.text.hasSuffix("\nOK\n") })
    let third = try hall.connect()
    third.send("random 1\n")
    #expect(hall.attend { one.text.hasSuffix("changed: options\nOK\n") })
    hall.server.publish(.stopped(.user), at: 1.5)
    #expect(hall.attend { two.text.hasSuffix("\nOK\n{\"t\":1.500,\"event\":\"stopped\",\"reason\":\"user\"}\n") })
  }

  @Test func whoDoesNotReadIsLetGo() throws {
    let hall = try Hall()
    let (slow, other) = (try hall.connect(), try hall.connect())
    slow.send("radio_events\n")
    #expect(hall.attend { slow.text.hasSuffix("\nOK\n") })
    let event = Event.connecting(url: String(repeating: "x", count: 9_000))
    for _ in 0..<1_000 { hall.server.publish(event, at: 0) }
    #expect(hall.attend { slow.isAloneUnread })
    other.send("ping\n")
    #expect(hall.attend { other.text.hasSuffix("\nOK\n") })
  }

  @Test func whoIsSilentIsLetGoUnlessHeWaits() throws {
    let hall = try Hall()
    hall.server.patience.silence = Duration(milliseconds: 150)
    let (half, waiting) = (try hall.connect(), try hall.connect())
    half.send("pin")
    waiting.send("idle\n")
    #expect(hall.attend { half.isAlone })
    hall.bench.player.choose(PlayOptions.random)
    #expect(hall.attend { waiting.text.hasSuffix("changed: options\nOK\n") })
    // The timeout restarts after the wait.
    waiting.send("ping\n")
    #expect(hall.attend { waiting.text.hasSuffix("changed: options\nOK\nOK\n") })
    #expect(hall.attend { waiting.isAlone })
  }

  @Test func aCrowdIsHeldOff() throws {
    let hall = try Hall()
    hall.server.shares.maxClients = 40
    var crowd = try (0..<60).map { _ in try hall.connect() }
    #expect(hall.attend { crowd.count { $0.isAlone } == 20 })
    #expect(crowd.count { $0.text.hasPrefix("OK MPD") } == 40)
    crowd.removeAll()
    #expect(hall.attend { hall.server.clients.count == 0 })
    let late = try hall.connect()
    #expect(hall.attend { late.text.hasPrefix("OK MPD") })
  }

  @Test func theirMemoryIsBoundedTogether() throws {
    let hall = try Hall()
    let crowd = try (0..<90).map { _ in try hall.connect() }
    let heavy = "command_list_begin\n" + String(repeating: "add \(String(repeating: "x", count: 10_000))\n", count: 25)
    for peer in crowd { peer.sendAll(heavy) { hall.turn() } }
    #expect(hall.server.clients.count < 80 && hall.server.clients.count > 30)
    let total = hall.server.clients.values.reduce(0) { $0 + $1.session.weight }
    #expect(total <= 16 << 20)
  }

  @Test func onlyOwnerAndGroupGetIn() throws {
    let hall = try Hall()
    var status = stat()
    #expect(stat(hall.path, &status) == 0 && status.st_mode & 0o7777 == 0o660 && status.st_gid == getgid())
    var places = ControlServer.Places(socket: hall.path + "-other")
    places.group = "0"
    if getuid() == 0 {
      let server = try ControlServer(places, hall.bench.commands)
      #expect(stat(hall.path + "-other", &status) == 0 && status.st_gid == 0)
      withExtendedLifetime(server) {}
    }
    places.group = "no-such-group-here"
    #expect(throws: ControlError.noGroup("no-such-group-here")) { try ControlServer(places, hall.bench.commands) }
  }

  @Test("An unservable path is refused with a sentence")
  func refusals() throws {
    let hall = try Hall()
    func serve(_ path: String) throws { _ = try ControlServer(.init(socket: path), hall.bench.commands) }
    #expect(throws: ControlError.taken(hall.path)) { try serve(hall.path) }
    #expect(throws: ControlError.notASocket("/etc/hostname")) { try serve("/etc/hostname") }
    #expect(throws: ControlError.self) { try serve("/nowhere/at/all") }
    let long = "/tmp/" + String(repeating: "a", count: 200)
    #expect(throws: ControlError.pathTooLong(long)) { try serve(long) }
    #expect(access(hall.path, F_OK) == 0)
  }

  @Test func whatADeadRadioLeftIsReplaced() throws {
    let bench = try Bench()
    let path = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))").path
    Peer.leaveSocket(at: path)
    var server: ControlServer? = try ControlServer(.init(socket: path), bench.commands)
    #expect(server != nil && access(path, F_OK) == 0)
    server = nil
    #expect(access(path, F_OK) != 0)
  }

  // MARK: TCP

  @Test(
    "An address other than loopback needs a password",
    arguments: [
      ("0.0.0.0:0", false, false), ("[::]:0", false, false), ("192.0.2.1:0", false, false),
      ("127.0.0.1:0", false, true),
      ("127.9.9.9:0", false, true), ("[::1]:0", false, true), ("0.0.0.0:0", true, true),
    ])
  func passwords(_ address: String, _ hasPassword: Bool, _ isServed: Bool) throws {
    let bench = try Bench(hasPassword ? ControlAccess(password: "x") : ControlAccess())
    var places = ControlServer.Places()
    places.listen = try ListenAddress.list(address)
    var refusal: ControlError?
    do { _ = try ControlServer(places, bench.commands) } catch { refusal = error }
    if isServed {
      // A machine without IPv6 refuses the address.
      if refusal != nil { #expect(address.hasPrefix("["), "\(String(describing: refusal))") }
    } else {
      #expect(refusal == .needsPassword(address) && refusal?.description.contains("no password") == true)
    }
  }

  @Test(
    "An invalid address is refused",
    arguments: [
      "6600", "radio:6600", "::1:6600", "127.0.0.1", "127.0.0.1:70000", "127.0.0.1:x", "[127.0.0.1]:1",
    ])
  func badAddresses(_ text: String) {
    #expect(throws: ControlError.badAddress(text)) { try ListenAddress.list(text) }
  }

  @Test("A client that leaves before its reply costs no wake-ups, and its command is carried out")
  func hangsUpWhileItWaits() async throws {
    try await Stage.run {
      let hall = try Hall(isPaced: true)
      let station = try ScriptedStation { _ in [.live(), .send(Clip.mp3(30).bytes), .stall] }
      defer { station.close() }
      let player = hall.bench.player
      hall.bench.radio.tune(StationRequest(url: station.url()))
      #expect(hall.bench.run { player.state == .playing })
      var peer: Peer? = try hall.connect()
      peer?.send("radio_suspend\nrandom 1\n")
      // The radio is not polled, therefore the reply waits.
      #expect(hall.attend { hall.bench.events.contains("willSuspend") })
      peer = nil
      var wakes = 0
      let end = monotonicSeconds() + 0.5
      while monotonicSeconds() < end {
        var one = pollfd(fd: hall.server.descriptor, events: Int16(POLLIN), revents: 0)
        wakes += poll(&one, 1, 100) > 0 ? 1 : 0
        hall.turn()
      }
      #expect(wakes < 10, "\(wakes) wake-ups")
      #expect(
        hall.bench.run {
          hall.turn()
          return hall.server.clients.count == 0
        })
      #expect(player.device.isSuspended && player.options.isRandom)
    }
  }

  @Test("300 strangers block neither the Unix socket nor a password, and are disconnected in time")
  func strangers() throws {
    let hall = try Hall(ControlAccess(password: "secret"), listen: "127.0.0.1:0")
    let port = try #require(hall.server.ports.first)
    var crowd: [Peer] = []
    for _ in 0..<300 {
      crowd.append(try Peer(port: port))
      hall.turn()
    }
    let local = try hall.connect()
    #expect(hall.attend { local.text.hasPrefix("OK MPD") })
    let friend = try Peer(port: port)
    #expect(hall.attend { friend.text.hasPrefix("OK MPD") })
    friend.send("password secret\nping\n")
    #expect(hall.attend { friend.text.hasSuffix("\nOK\nOK\n") })
    // The friend replaced one of the eight clients.
    #expect(hall.server.clients.count == 9)
    // The first call reads the greeting.
    for peer in crowd { _ = peer.isAlone }
    #expect(crowd.count { !$0.isAlone } == 7)
    hall.server.patience.password = Duration(milliseconds: 50)
    #expect(hall.attend { hall.server.clients.count == 2 })
    friend.send("ping\n")
    #expect(hall.attend { friend.text.hasSuffix("\nOK\nOK\nOK\n") })
  }

  private typealias Crowd = [(descriptor: Int32, kind: ClientShares.ClientKind, address: String?)]

  private static func crowd(_ local: Int, _ remote: Int, _ strangers: Int) -> Crowd {
    let kinds: [ClientShares.ClientKind] =
      Array(repeating: .local, count: local) + Array(repeating: .remote, count: remote)
      + Array(repeating: .stranger, count: strangers)
    return kinds.enumerated().map { (Int32($0), $1, $1 == .local ? nil : "192.0.2.\($0)") }
  }

  @Test(
    "Each kind of client has its share, and strangers make room",
    arguments: [
      (ClientShares.ClientKind.local, 0, 0, 0, ClientShares.Verdict.welcome), (.local, 223, 0, 32, .welcome),
      (.local, 224, 0, 0, .turnedAway), (.local, 130, 126, 0, .turnedAway),
      (.local, 130, 120, 6, .instead(ofStranger: 250)),
      (.remote, 224, 31, 0, .welcome), (.remote, 0, 128, 0, .turnedAway),
      (.remote, 0, 120, 8, .instead(ofStranger: 120)),
      (.stranger, 0, 0, 31, .welcome), (.stranger, 5, 0, 32, .instead(ofStranger: 5)),
      (.stranger, 0, 128, 0, .turnedAway),
      (.stranger, 224, 32, 0, .turnedAway),
    ])
  func shares(
    _ kind: ClientShares.ClientKind, _ local: Int, _ remote: Int, _ strangers: Int, _ verdict: ClientShares.Verdict
  ) {
    var shares = ClientShares()
    shares.hasRemote = true
    #expect(shares.verdict(on: kind, of: "198.51.100.1", beside: Self.crowd(local, remote, strangers)) == verdict)
  }

  @Test("An address that guesses passwords waits, longer each time; others do not")
  func guesses() throws {
    let bench = try Bench(ControlAccess(password: "x"))
    var now = MonotonicTime(milliseconds: 1_000_000)
    bench.context.clients.now = { now }
    func answer(_ password: String, from address: String = "192.0.2.1") -> String {
      Client(ControlSession(bench.commands, isLocal: false, address: address), bench).ask("password \(password)")
    }
    func isWaiting(_ seconds: Int) -> Bool {
      answer("x") == "ACK [3@0] {password} too many wrong passwords; try again in \(seconds) s\n"
    }
    let wrong = "ACK [3@0] {password} incorrect password\n"
    for _ in 0..<4 { #expect(answer("y") == wrong) }
    now = now + Duration(milliseconds: 61_000)
    for _ in 0..<5 { #expect(answer("y") == wrong, "the minute began anew") }
    for pause in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
      #expect(isWaiting(pause) && answer("x", from: "192.0.2.2") == "OK\n")
      now = now + Duration(milliseconds: Int64(pause) * 1_000 - 500)
      #expect(isWaiting(1))
      now = now + Duration(milliseconds: 500)
      for _ in 0..<5 { #expect(answer("y") == wrong) }
    }
    now = now + Duration(milliseconds: 3_600_000)
    #expect(answer("x") == "OK\n", "the right one is taken again")
    for _ in 0..<4 { #expect(answer("y") == wrong) }
    #expect(answer("x") == "OK\n")
    // The maximum number of addresses needs no further memory, and each has its own count.
    for number in 0..<3_000 { _ = answer("y", from: "\(number)") }
    #expect(answer("x", from: "1") == "OK\n")
  }

  @Test("A friend among 60 newcomers from his own address connects")
  func newcomers() throws {
    let hall = try Hall(ControlAccess(password: "secret"), listen: "127.0.0.1:0")
    let port = try #require(hall.server.ports.first)
    var crowd = try (0..<30).map { _ in try Peer(port: port) }
    let friend = try Peer(port: port)
    friend.send("password secret\nping\n")
    crowd += try (0..<30).map { _ in try Peer(port: port) }
    #expect(hall.attend { friend.text.hasSuffix("\nOK\nOK\n") })
    withExtendedLifetime(crowd) {}
  }

  @Test("Neighbours in the box's network count separately; elsewhere 64 bits are one machine")
  func neighbours() throws {
    let bench = try Bench(ControlAccess(password: "x"))
    var now = MonotonicTime(milliseconds: 1_000_000)
    bench.context.clients.now = { now }
    func answer(_ password: String, from address: [UInt8], _ networks: [AddressGroup.Network] = []) -> String {
      let name = AddressGroup.name(of: address, beside: networks)
      return Client(ControlSession(bench.commands, isLocal: false, address: name), bench).ask("password \(password)")
    }
    func address(_ first: [UInt8], _ last: UInt8) -> [UInt8] {
      first + Array(repeating: 0, count: 15 - first.count) + [last]
    }
    let half = Array(repeating: UInt8(255), count: 8) + Array(repeating: 0, count: 8)
    let own = AddressGroup.Network(address: address([0x20, 1, 0xD, 0xB8], 1), mask: half)
    for (first, isNeighbour) in [([UInt8](), true), ([0x20, 1, 0xD, 0xB8], true), ([0x20, 1, 0xD, 0xB9], false)] {
      // The first is link-local.
      let first = first.isEmpty ? [0xFE, 0x80] : first
      for _ in 0..<5 { #expect(answer("y", from: address(first, 2), [own]).contains("incorrect")) }
      #expect(answer("x", from: address(first, 2), [own]).contains("try again in 60 s"))
      #expect((answer("x", from: address(first, 3), [own]) == "OK\n") == isNeighbour, "\(first)")
    }
    // A network larger than a neighbourhood, such as a tunnel, is ignored.
    let wide = AddressGroup.Network(address: own.address, mask: [255, 255] + Array(repeating: 0, count: 14))
    #expect(!wide.holds(own.address) && own.holds(address([0x20, 1, 0xD, 0xB8], 9)))
    // The network stack has at least its own loopback address, if it supports IPv6.
    #expect(
      AddressGroup.Network(around: address([0x20, 1, 0xD, 0xB8], 1))?.holds(address([0x20, 1, 0xD, 0xB8], 2)) == true)
    #expect(AddressGroup.Network(around: [127, 0, 0, 1]) == nil)
    #expect(AddressGroup.own.allSatisfy { $0.address.count == 16 && $0.mask.count == 16 })
    now = now + Duration(milliseconds: 1)
  }

  @Test("A recent right password shortens the waits of its address; pauses shrink")
  func trusted() throws {
    let bench = try Bench(ControlAccess(password: "x"))
    var now = MonotonicTime(milliseconds: 1_000_000)
    bench.context.clients.now = { now }
    func answer(_ password: String) -> String {
      Client(ControlSession(bench.commands, isLocal: false, address: "192.0.2.1"), bench).ask("password \(password)")
    }
    func later(_ seconds: Int64) { now = now + Duration(milliseconds: seconds * 1_000) }
    func pause() -> String { String(answer("x").dropFirst("ACK [3@0] {password} too many wrong passwords; ".count)) }
    #expect(answer("x") == "OK\n")
    for _ in 0..<4 {
      for _ in 0..<5 { #expect(answer("y").contains("incorrect")) }
      #expect(pause() == "try again in 10 s\n")
      later(10)
    }
    #expect(answer("x") == "OK\n")
    later(3_600)
    for seconds in [60, 120, 240, 480] {
      for _ in 0..<5 { #expect(answer("y").contains("incorrect")) }
      #expect(pause() == "try again in \(seconds) s\n")
      later(Int64(seconds))
    }
    later(2 * 3_600)
    for _ in 0..<5 { #expect(answer("y").contains("incorrect")) }
    #expect(pause() == "try again in 240 s\n", "960 s would be next; two quiet hours make it a quarter")
  }

  @Test("An address that is not available yet leaves the Unix socket alone, and is retried")
  func patience() throws {
    let taken = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let port = try #require(Peer.listen(taken))
    let bench = try Bench()
    let path = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))").path
    var places = ControlServer.Places(socket: path)
    places.listen = try ListenAddress.list("127.0.0.1:\(port)")
    #expect(throws: ControlError.refused("127.0.0.1:\(port)", errno: EADDRINUSE)) {
      try ControlServer(places, bench.commands)
    }
    places.isPatient = true
    let hall = try Hall(bench, places, at: path)
    #expect(hall.server.waiting.map(\.address) == places.listen && hall.server.ports == [])
    let local = try hall.connect()
    #expect(hall.attend { local.text.hasPrefix("OK MPD") })
    var heard: [ListenAddress] = []
    hall.server.onListening = { heard.append($0) }
    hall.server.retryInterval = Duration(milliseconds: 10)
    close(taken)
    #expect(hall.attend(for: 20) { hall.server.ports == [port] })
    #expect(hall.server.waiting.isEmpty && heard == places.listen)
    let remote = try Peer(port: port)
    #expect(hall.attend { remote.text.hasPrefix("OK MPD") })
  }

  @Test func tcpClientsTellThePasswordFirst() throws {
    let hall = try Hall(ControlAccess(password: "secret"), listen: "127.0.0.1:0")
    let peer = try Peer(port: try #require(hall.server.ports.first))
    peer.send("status\npassword secret\nplaylist\n")
    let answer = "OK MPD 0.23.5\nACK [4@0] {status} you don't have permission for \"status\"\nOK\nOK\n"
    #expect(hall.attend { peer.text == answer })
    let local = try hall.connect()
    local.send("playlist\n")
    #expect(hall.attend { local.text == "OK MPD 0.23.5\nOK\n" })
  }
}

extension PlayOptions {
  fileprivate static var random: PlayOptions {
    var options = PlayOptions()
    options.isRandom = true
    return options
  }
}
