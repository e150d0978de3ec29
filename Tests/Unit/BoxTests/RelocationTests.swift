import Network
import Settings
import Testing
import Units

@testable import Box

/// The directory entries tested for a failing preset, and the action for the first that plays.
@Suite struct RelocationTests {
  private static let id = "960cf833-0601-11e8-ae97-52543be04c81"
  private static let subject = RelocationSubject(
    name: "Kitchen FM", foldedName: "kitchenfm", url: "http://stream.kitchenfm.example/live", id: id,
    homepage: "https://www.kitchenfm.example/", refused: [PresetRecord.key("http://refused.example/")])
  /// The directory's own entry, with the station's homepage.
  private static let proven = FakeDirectory.entry(
    id, "Kitchen FM", "http://zeno.fm/kitchen", homepage: "http://kitchenfm.example")
  /// An entry with the same id and another homepage, and one with the same homepage and another id.
  private static let otherHome = FakeDirectory.entry(
    id, "Kitchen FM", "http://x.example/1", homepage: "http://y.example")
  private static let otherID = FakeDirectory.entry(
    "other", "KITCHEN fm", "http://zeno.fm/2", homepage: "https://kitchenfm.example/en")

  // MARK: The machine

  enum Input: CaseIterable {
    case due, dueNothing, sounded, failed, busy, changed

    func value(_ policy: Relocation.Policy, _ entries: [RelocationCandidate]) -> Relocation.Input {
      switch self {
      case .due: .due(RelocationTests.subject, entries, policy)
      case .dueNothing: .due(RelocationTests.subject, [], policy)
      case .sounded: .played
      case .failed: .failed
      case .busy: .busy
      case .changed: .changed
      }
    }
  }

  enum Before: CaseIterable {
    case resting, hearing, hearingLast
  }

  @Test(
    "Each input has its effect in each state, under each policy (G5)", arguments: Relocation.Policy.allCases,
    Before.allCases)
  func table(_ policy: Relocation.Policy, _ before: Before) {
    for input in Input.allCases {
      let entries = [Self.proven, Self.otherID]
      var machine = Relocation()
      if before != .resting { _ = machine.apply(.due(Self.subject, entries, policy)) }
      if before == .hearingLast { _ = machine.apply(.failed) }
      let start = machine
      let actions = machine.apply(input.value(policy, entries))
      let isHearing = policy != .never && before != .resting
      let heard = before == .hearingLast ? Self.otherID : Self.proven
      var expected: [Relocation.Action] = []
      var next: Relocation? = start
      switch input {
      case .due where policy != .never && !isHearing: (expected, next) = ([.test(Self.proven, for: Self.subject)], nil)
      case .dueNothing where policy != .never && !isHearing: expected = [.recordLookUp(Self.subject)]
      case .sounded where isHearing:
        let isTaken = policy == .auto && before == .hearing
        (expected, next) = ([isTaken ? .adopt(Self.subject, heard) : .ask(Self.subject, heard)], Relocation())
      case .failed where isHearing && before == .hearing:
        (expected, next) = ([.test(Self.otherID, for: Self.subject)], nil)
      case .failed where isHearing: (expected, next) = ([.recordLookUp(Self.subject)], Relocation())
      case .busy where isHearing, .changed where isHearing: (expected, next) = ([.stopTest], Relocation())
      default: break
      }
      #expect(actions == expected, "\(policy) \(before) \(input)")
      if let next { #expect(machine == next, "\(policy) \(before) \(input)") } else { #expect(machine.isTesting) }
      #expect(machine.subject == (machine.isTesting ? Self.subject : nil))
    }
  }

  @Test(
    "Without asking, an address needs the same id and the same homepage or domain (G5)",
    arguments: [
      (proven, true), (otherHome, false), (otherID, false),
      // The address is below the station's domain.
      (FakeDirectory.entry(id, "Anything", "https://audio.kitchenfm.example:8443/x"), true),
      // Similar names and shared domains.
      (FakeDirectory.entry(id, "Kitchen FM", "http://kitchenfm.example.evil.example/"), false),
      (
        FakeDirectory.entry(id, "Kitchen FM", "http://zeno.fm/x", homepage: "http://evil.example/kitchenfm.example"),
        false
      ),
      (
        FakeDirectory.entry(id, "Kitchen FM", "http://zeno.fm/x", homepage: "http://kitchenfm.example@evil.example/"),
        false
      ),
      (FakeDirectory.entry(id, "Kitchen FM", "http://zeno.fm/x"), false),
      (FakeDirectory.entry("", "Kitchen FM", "http://a.kitchenfm.example/"), false),
    ] as [(RelocationCandidate, Bool)])
  func proof(_ candidate: RelocationCandidate, _ isProven: Bool) {
    #expect(Self.subject.isProven(candidate) == isProven)
    var unknown = Self.subject
    unknown.id = nil
    #expect(!unknown.isProven(candidate))
  }

  @Test("An id learned from the same address proves only as much as its domain (G5)")
  func learnedID() {
    var subject = Self.subject
    subject.isOwnID = false
    #expect(!subject.isProven(Self.proven), "who wrote the entry wrote its homepage too")
    let own = FakeDirectory.entry(Self.id, "Kitchen FM", "http://audio.kitchenfm.example/")
    #expect(subject.isProven(own))
    subject.homepage = "https://facebook.com/kitchenfm"
    #expect(!subject.isProven(own), "the address may be a hoster's")
    subject.homepage = Self.subject.homepage
    subject.url = "http://stream.other.example/live"
    #expect(!subject.isProven(own) && !subject.isProven(Self.proven))
    subject.url = "http://zeno.fm/kitchen"
    #expect(!subject.isProven(Self.proven))
  }

  @Test("A host outside the station's homepage proves nothing, as it may be a hoster's (G5)")
  func unknownHoster() {
    var subject = Self.subject
    subject.url = "http://ice1.airwaves.example/kitchen"
    let entry = FakeDirectory.entry(
      Self.id, "Kitchen FM", "http://ice2.airwaves.example/evil", homepage: "http://evil.example")
    #expect(!subject.isProven(entry) && subject.isProven(Self.proven))
    subject.homepage = nil
    #expect(subject.isProven(entry), "nothing else is known, and the owner chose the entry")
    subject.isOwnID = false
    #expect(!subject.isProven(entry))
  }

  @Test("A hoster's domain proves nothing, even if the preset used it too (G5)")
  func hoster() {
    var subject = Self.subject
    (subject.url, subject.homepage) = ("https://stream.zeno.fm/old", "https://facebook.com/kitchenfm")
    let entry = FakeDirectory.entry(
      Self.id, "Kitchen FM", "https://stream.zeno.fm/new", homepage: "https://facebook.com/kitchenfm")
    #expect(!subject.isProven(entry))
    #expect(Relocation.candidates([entry], for: subject) == [entry])
    subject.id = nil
    #expect(Relocation.candidates([entry], for: subject) == [])
  }

  // MARK: The order

  @Test(
    "The directory's own entry comes first, then homepage and name matches, alive and popular first (G5)"
  )
  func order() {
    let entries = [
      FakeDirectory.entry(
        "4", "Kitchen FM", "http://4/", homepage: "http://kitchenfm.example", votes: 900, isAlive: false),
      FakeDirectory.entry("3", "Kitchen FM", "http://3/", homepage: "http://kitchenfm.example", votes: .min),
      FakeDirectory.entry("2", "Kitchen-FM", "http://2/", homepage: "http://kitchenfm.example", votes: .max),
      FakeDirectory.entry("x", "Kitchen FM", "http://5/", homepage: "http://other.example", votes: 1_000),
      FakeDirectory.entry("y", "Living Room", "http://6/", homepage: "http://kitchenfm.example", votes: 1_000),
      FakeDirectory.entry("z", "", "http://7/", homepage: "http://kitchenfm.example"),
      FakeDirectory.entry(Self.id, "Renamed", "http://1/", isAlive: false),
    ]
    #expect(Relocation.candidates(entries, for: Self.subject).map(\.id) == [Self.id, "2", "3"])
    #expect(Relocation.candidates(Array(entries.reversed()), for: Self.subject).map(\.id) == [Self.id, "2", "3"])
    #expect(Relocation.candidates(Array(entries.prefix(1)), for: Self.subject).map(\.id) == ["4"])
  }

  @Test(
    "Failed, refused, repeated and invalid addresses are not tried (G5)",
    arguments: [
      "http://stream.kitchenfm.example/live", "HTTP://Stream.KitchenFM.example:80/live", "http://refused.example/",
      "http://twice.example/", "file:///etc/passwd", "ftp://a/", "", "rtsp://a/",
    ])
  func notHeard(_ url: String) {
    let twice = FakeDirectory.entry(Self.id, "Kitchen FM", "http://twice.example/")
    let entry = FakeDirectory.entry(Self.id, "Kitchen FM", url)
    #expect(Relocation.candidates([twice, entry], for: Self.subject).map(\.url) == ["http://twice.example/"])
  }

  // MARK: Domains

  @Test(
    "The registrable domain errs on the safe side (G5)",
    arguments: [
      ("stream.dlf.de", "dlf.de"), ("dlf.de", "dlf.de"), ("a.b.bbc.co.uk", "bbc.co.uk"), ("bbc.co.uk", "bbc.co.uk"),
      ("co.uk", nil), ("live.abc.net.au", "abc.net.au"), ("radio.com.br", "radio.com.br"), ("com.br", nil),
      ("a.fm.br", "a.fm.br"), ("ice.radiofrance.fr", "radiofrance.fr"), ("WWW.Kexp.ORG", "kexp.org"),
      // In regional domains, the whole host counts.
      ("mp3.polskieradio.pl", "mp3.polskieradio.pl"), ("radio.szczecin.pl", "radio.szczecin.pl"),
      ("www.polskieradio.pl", "polskieradio.pl"), ("www.pl", nil),
      // A short name below such a country counts as a second level.
      ("www.rai.it", "www.rai.it"), ("ab.ru", nil), ("radio.com.tr", "radio.com.tr"),
      // Shared domains, IP addresses and hosts without a domain.
      ("kitchen.blogspot.com", nil), ("kitchen.blogspot.de", nil), ("www.facebook.com", nil), ("stream.zeno.fm", nil),
      ("playerservices.streamtheworld.com", nil), ("s2.radio.co", nil), ("a.caster.fm", nil), ("x.ddns.net", nil),
      ("r.dcs.redcdn.pl", nil), ("ml.cdn.eurozet.pl", nil), ("a.synology.me", nil), ("b.run.app", nil),
      ("d1.cloudfront.net", nil), ("x.example-cdn.com", nil), ("ice.infomaniak.ch", nil), ("localhost", nil),
      ("192.168.1.20", nil), ("[2001:db8::1]", nil), ("", nil), (".", nil), ("..", nil), ("a..de", "a.de"),
    ] as [(String, String?)])
  func domains(_ host: String, _ domain: String?) {
    #expect(StationDomain(host: host)?.name == domain)
  }
}
