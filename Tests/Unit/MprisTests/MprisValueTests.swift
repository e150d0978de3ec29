import Testing

@testable import Mpris

/// Values of MPRIS without a bus.
@Suite struct MprisValueTests {
  @Test(
    "Only Unix sockets of a bus address are used",
    arguments: [
      ("unix:path=/run/user/1000/bus", ["/run/user/1000/bus"]),
      ("unix:abstract=/tmp/dbus-1,guid=0123", ["@/tmp/dbus-1"]),
      ("tcp:host=a,port=1;unix:guid=1,path=/a%20b;unix:path=/c", ["/a b", "/c"]),
      ("unixexec:path=/bin/sh", []), ("unix:path=relative", []), ("unix:path=/a%0", []), ("unix:path=/a%00b", []),
      ("unix:path=/a%FF", []), ("autolaunch:", []), (";;", []),
    ])
  func addresses(text: String, sockets: [String]) {
    #expect(BusAddress(text)?.sockets ?? [] == sockets)
  }

  @Test("Without an address, the bus is in the folder for run-time files")
  func defaultAddress() {
    func sockets(_ environment: [String: String]) -> [String]? { BusAddress { environment[$0] }?.sockets }
    #expect(sockets(["XDG_RUNTIME_DIR": "/run/user/1"]) == ["/run/user/1/bus"])
    #expect(sockets(["XDG_RUNTIME_DIR": "/run/user/1", "DBUS_SESSION_BUS_ADDRESS": ""]) == ["/run/user/1/bus"])
    #expect(sockets(["XDG_RUNTIME_DIR": "/run/user/1", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"]) == ["/b"])
    #expect(sockets(["XDG_RUNTIME_DIR": "relative"]) == nil && sockets([:]) == nil)
  }

  private static let signIn = Array("OK 0123\r\nAGREE_UNIX_FD\r\n".utf8)

  private static func message(body: UInt32, fields: UInt32, isBig: Bool = false) -> [UInt8] {
    let numbers = [body, 7, fields].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ((isBig ? 3 - $0 : $0) * 8)) }
    }
    let size = Int(body) + (Int(fields) + 7) / 8 * 8
    return [UInt8(ascii: isBig ? "B" : "l"), 1, 0, 1] + numbers + [UInt8](repeating: 108, count: min(size, 100_000))
  }

  @Test("Messages pass in any pieces, in both byte orders", arguments: [1, 3, 15, 16, 17, 1_000])
  func pieces(size: Int) {
    let stream = Self.signIn + Self.message(body: 65_000, fields: 13) + Self.message(body: 0, fields: 1, isBig: true)
    var (filter, rest) = (BusFilter(), (stream + Self.message(body: 5, fields: 0, isBig: true))[...])
    while !rest.isEmpty {
      let isPassed = filter.passes(rest.prefix(size), at: 1)
      #expect(isPassed)
      rest = rest.dropFirst(size)
    }
  }

  static let refused: [(String, [UInt8])] = [
    ("a long body", message(body: 65_537, fields: 0)), ("long fields", message(body: 0, fields: 65_537)),
    ("the largest lengths", Array(message(body: 0, fields: 0)[..<4]) + [UInt8](repeating: 255, count: 12)),
    ("another byte order", message(body: 0, fields: 0) + [UInt8](repeating: 0, count: 16)),
    ("a reply without end", [UInt8](repeating: 65, count: 1_025)),
  ]

  @Test("A bus that exceeds a limit is refused", arguments: refused)
  func limits(name: String, bytes: [UInt8]) {
    var filter = BusFilter()
    let isPassed = filter.passes(bytes[...], at: 1)
    #expect(!isPassed)
  }

  @Test("A flood of messages is refused, and the allowance returns with time")
  func flood() {
    var filter = BusFilter()
    let messages = Array(repeatElement(Self.message(body: 0, fields: 0), count: 256).joined())
    let arePassed = [(256, 1.0), (64, 2), (65, 3)].map { filter.passes(messages[..<($0 * 16)], at: $1) }
    #expect(arePassed == [true, true, false])
  }

  @Test("Status and volume are announced at once, and titles at most once a second")
  func changes() {
    var (changes, state) = (MprisChanges(), MprisState())
    #expect(changes.due(state, at: 0) == [])
    state.track.title = "A"
    state.volume = 0.5
    #expect(changes.due(state, at: 0) == [.metadata, .volume])
    state.track.title = "B"
    state.abilities.seeks = true
    #expect(changes.due(state, at: 0.9) == [])
    state.volume = 0.4
    #expect(changes.due(state, at: 0.95) == .volume)
    state.track.title = "C"
    #expect(changes.due(state, at: 1) == [.metadata, .abilities])
    state.track.title = "D"
    #expect(changes.due(state, at: 1.5) == [])
    state.track.title = "C"
    #expect(changes.due(state, at: 2.5) == [], "the announced title returned")
  }

  @Test("A title on the bus is short, and has no zeros or control characters")
  func texts() {
    #expect(MprisState.clean("A\0B\u{7}C\nD") == "ABC D")
    #expect(MprisState.clean(String(repeating: "\u{1F600}", count: 2_000)).utf8.count <= 1_023)
  }
}
