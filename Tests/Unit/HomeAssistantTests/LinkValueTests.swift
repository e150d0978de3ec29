import Testing
import Units

@testable import HomeAssistant

/// Decisions of the link, with the test's clock.
struct LinkValueTests {
  private static func moment(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime.zero + Duration(milliseconds: milliseconds)
  }

  @Test("A broker is retried after 1, 2, 4 … 60 s, after a refusal 60 s; a good connection resets this")
  func delays() {
    var delay = RetryDelay()
    func next(_ fault: BrokerFault, _ open: Int64 = 0) -> Double {
      delay.next(after: fault, openFor: Duration(milliseconds: open)).seconds
    }
    #expect((0..<8).map { _ in next(.closed) } == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(next(.closed, 9_999) == 60 && next(.closed, 10_000) == 1 && next(.unreachable(111)) == 2)
    #expect(next(.userRefused) == 60 && next(.closed) == 60 && next(.silent, 60_000) == 1)
  }

  @Test("Packets per second are limited in a flood")
  func budget() {
    var (budget, read) = (ReadBudget(), 0)
    for millisecond in Int64(0)..<1_000 {
      let now = Self.moment(millisecond)
      let room = budget.room(at: now)
      read += room
      budget.spend(room, at: now)
      #expect(budget.pause(at: now).map { $0 > now && $0 <= now + Duration(milliseconds: 100) } ?? false)
    }
    #expect((450...550).contains(read))
    // An encrypted record may exceed the remaining budget. A longer pause follows.
    for _ in 0..<2 { budget.spend(50, at: Self.moment(999)) }
    #expect(budget.room(at: Self.moment(1_000)) == 0 && budget.room(at: Self.moment(1_100)) == 0)
    #expect(budget.room(at: Self.moment(1_200)) > 0)
  }

  @Test("A broker gets entities, presence and state, then each change once (M2)")
  func session() {
    var session = LinkSession(Samples.discovery, Samples.states)
    var radio = RadioSnapshot()
    #expect(session.messages(nil, at: Self.moment(0)).messages == [])
    let first = session.messages(radio, at: Self.moment(0)).messages
    #expect(first.map(\.topic).suffix(2) == [Samples.topics.availability, Samples.topics.state] && first.count == 16)
    #expect(session.messages(radio, at: Self.moment(50)).messages == [])
    radio.volume = 1
    let early = session.messages(radio, at: Self.moment(50))
    #expect(early.messages == [] && early.due == Self.moment(100))
    #expect(session.messages(radio, at: Self.moment(100)).messages == [Samples.states.state(radio)])
    #expect(session.messages(radio, at: Self.moment(9_000)).messages == [])
    #expect(session.messages(radio, at: Self.moment(9_000)).due == .never)
  }

  @Test("All messages repeat at Home Assistant's start and for new presets, at most every five seconds (M2)")
  func birth() {
    var session = LinkSession(Samples.discovery, Samples.states)
    var radio = RadioSnapshot()
    _ = session.messages(radio, at: Self.moment(0))
    session.handleBirth()
    let early = session.messages(radio, at: Self.moment(4_999))
    #expect(early.messages == [] && early.due == Self.moment(5_000))
    #expect(session.messages(radio, at: Self.moment(5_000)).messages.count == 16)
    radio.presets = PresetOptions(["One"])
    #expect(session.messages(radio, at: Self.moment(6_000)).messages == [])
    let messages = session.messages(radio, at: Self.moment(10_000)).messages
    #expect(messages.count == 16 && messages[2].payload.contains("\"One\""))
  }

  @Test("A fault is described in words, without the broker's text")
  func words() {
    let faults: [BrokerFault] = [
      .noNameServer, .noSuchHost, .notOwnNetwork, .unreachable(111), .noAnswer, .unusableCertificates,
      .badCertificate(62), .noTls, .userRefused, .refused(2), .closed, .silent, .garbage, .library(1),
    ]
    let words = faults.map { $0.words(about: "broker:1883") }
    #expect(Set(words).count == faults.count && words.allSatisfy { $0.contains("broker:1883") })
    #expect(words[3].contains("onnection refused") && words[6].lowercased().contains("hostname mismatch"))
  }

  @Test(
    "An unencrypted broker must be in the owner's network",
    arguments: [
      ("127.0.0.1", true), ("192.168.1.2", true), ("::1", true), ("100.64.1.1", false), ("100.127.255.254", false),
      ("::ffff:100.64.1.1", false), ("8.8.8.8", false), ("::ffff:192.168.1.2", true), ("fd00::2", true),
      ("64:ff9b::c0a8:102", false), ("64:ff9b:1::c0a8:102", false), ("2002:c0a8:102::1", false),
      ("::192.168.1.2", false), ("::ffff:0:c0a8:102", false),
    ])
  func ownNetwork(_ host: String, _ isOwn: Bool) throws {
    let plain = Broker(host: host, port: 1)
    if isOwn {
      #expect(try BrokerAddress.usable(for: plain).map(\.text) == [host])
    } else {
      #expect(throws: BrokerFault.notOwnNetwork) { try BrokerAddress.usable(for: plain) }
    }
    #expect(try BrokerAddress.usable(for: Broker(host: host, port: 1, caFile: "")).map(\.text) == [host])
  }
}
