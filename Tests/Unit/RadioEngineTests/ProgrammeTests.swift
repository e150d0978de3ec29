import Testing
import Units

@testable import Network
@testable import RadioEngine

/// What is known of a programme, and what is told of it.
@Suite struct ProgrammeTests {
  private static let format = DecodeNotice.format(
    codec: .aac, rate: SampleRate(48_000), channels: 2, output: SampleRate(48_000))

  private static func fault(_ detail: PlaybackFault.Detail, status: Int = 0) -> PlaybackFault {
    PlaybackFault(detail, url: "http://h/x", status: status)
  }

  private static func begun() -> Programme {
    var programme = Programme()
    programme.begin(at: MonotonicTime(milliseconds: 5), underruns: 3)
    return programme
  }

  @Test("a programme that begins knows nothing of the one before but its number")
  func begins() {
    var programme = Self.begun()
    #expect(programme.epoch == 1 && programme.tuned == MonotonicTime(milliseconds: 5))
    _ = programme.connected(RadioBench.facts(isLive: true))
    programme.meets(Self.fault(.error(.connectTimeout)))
    programme.isGivenUp()
    programme.reconnects(3, Self.fault(.silence(seconds: 3)))
    programme.rejoins(true)
    _ = (programme.isNew(Self.format), programme.add(Title("A - B", url: nil), at: .zero))
    programme.begin(at: .zero, underruns: 4)
    #expect(programme.epoch == 2 && programme.facts == nil && programme.codec == nil && programme.attempt == 0)
    #expect(programme.failure == nil && programme.fault == nil && !programme.isRejoining)
    #expect(programme.titles.entry(at: .zero) == nil)
  }

  @Test("a file that goes on elsewhere keeps what is known of it")
  func leaves() {
    var programme = Self.begun()
    _ = programme.connected(RadioBench.facts(isLive: false, seconds: 100))
    programme.meets(Self.fault(.error(.connectTimeout)))
    programme.isGivenUp()
    programme.leave(heard: 12, underruns: 3)
    #expect(programme.epoch == 2 && programme.heardBefore == 12 && programme.facts != nil)
    #expect(programme.failure == nil && programme.fault == nil)
  }

  @Test("what a list calls a file stays where its tags come again, whatever follows it")
  func listed() {
    var programme = Self.begun()
    _ = programme.connected(RadioBench.facts(isLive: false, seconds: 100))
    let border = StreamTime(seconds: 100)
    for (name, tag, place) in [("One", "Tag 1", StreamTime.zero), ("Two", "Tag 2", border)] {
      #expect(programme.add(external: Title(name, url: nil), at: place) == [.metadataReceived(Title(name, url: nil))])
      #expect(programme.add(external: Title(tag, url: nil), at: place) == [])
    }
    #expect(programme.add(Title("Tag 1", url: nil), at: StreamTime(seconds: 50)) == [])
    #expect(programme.add(Title("Tag 2", url: nil), at: StreamTime(seconds: 150)) == [])
    // A link of the same file that is called otherwise.
    #expect(programme.add(Title("Tag 3", url: nil), at: StreamTime(seconds: 60)).count == 1)
  }

  @Test("a file that begins at the end of time ends there")
  func farEnd() {
    var look = ProgrammeLook(now: .zero, facts: RadioBench.facts(isLive: false, seconds: 100))
    look.base = StreamTime(ticks: .max - 5)
    #expect(look.reach == look.base...look.base)
  }

  @Test("what a programme gave is added up once, and again where it goes on elsewhere")
  func accounts() {
    var programme = Programme()
    var taken = [programme.takeAccount()]
    programme.begin(at: .zero, underruns: 0)
    taken += [programme.takeAccount(), programme.takeAccount()]
    programme.leave(heard: 1, underruns: 0)
    taken += [programme.takeAccount(), programme.takeAccount()]
    #expect(taken == [false, true, false, true, false])
  }

  @Test("a period that came too late is told once, and those before the programme never")
  func late() {
    var programme = Self.begun()
    let late = [3, 4, 4].map { programme.isLate($0) }
    #expect(late == [false, true, false])
  }

  @Test(
    "a server's answer says whether what was taken for live is a file, and whether it had been lost",
    arguments: [(nil, false), (true, true), (false, false)] as [(Bool?, Bool)])
  func connects(_ before: Bool?, _ turnsOut: Bool) {
    var programme = Self.begun()
    if let before { _ = programme.connected(RadioBench.facts(isLive: before)) }
    #expect(programme.mayBeLive == (before != false))
    programme.reconnects(2, Self.fault(.closed))
    let (turnedOutFile, wasTried) = programme.connected(RadioBench.facts(isLive: false))
    #expect(turnedOutFile == turnsOut && wasTried && !programme.mayBeLive)
    #expect(programme.attempt == 0 && programme.fault == nil)
    let again = programme.connected(RadioBench.facts(isLive: true))
    #expect(!again.wasTried)
  }

  @Test(
    "each fault is told by its events",
    arguments: [
      (fault(.refused(hasCredentials: false), status: 404), ["httpError", "missingContent"]),
      (fault(.refused(hasCredentials: false), status: 503), ["httpError"]),
      (fault(.error(.connectTimeout)), ["timeoutExceeded"]), (fault(.error(.noNetwork)), ["noNetwork"]),
      (fault(.emptyList), ["urlNotFound"]), (fault(.noAudio), ["badContent"]),
      (fault(.error(.localFile(errno: 2))), ["missingContent"]),
    ])
  func faults(_ fault: PlaybackFault, _ names: [String]) { #expect(fault.events.map(\.name) == names) }

  @Test("that a server gives no parts of a file is told with its host, where that is known")
  func readThrough() {
    for (host, name) in [("h", "h"), (nil, "The station")] {
      var programme = Self.begun()
      _ = programme.connected(RadioBench.facts(isLive: false))
      let message = "\(name) gives no parts of a file, so all before the place that you asked for is read first."
      let told = programme.isReadThrough("http://h/x", of: host)
      #expect(told == [.readThrough(url: "http://h/x", message: message)] && programme.facts?.isSeekable == false)
    }
  }

  @Test("packets that are no sound are a fault of the station's address, or of the one that was asked for")
  func undecodable() {
    var programme = Self.begun()
    let request = StationRequest(url: "http://h/asked")
    #expect(programme.undecodable(request).url == "http://h/asked" && programme.undecodable(nil).url.isEmpty)
    let facts = RadioBench.facts(isLive: true)
    _ = programme.connected(facts)
    let fault = programme.undecodable(request)
    #expect(fault.url == facts.url && fault.cause == .notAudio && fault.detail == .undecodable)
  }

  @Test("what a programme is made of is told when both are known, and when it is another")
  func info() {
    var programme = Self.begun()
    let isNew = [programme.isNew(Self.format), programme.isNew(Self.format)]
    #expect(isNew == [true, false] && programme.codec == "AAC")
    let early = programme.info(measured: nil)
    #expect(early.isEmpty)
    var facts = RadioBench.facts(isLive: true)
    _ = programme.connected(facts)
    guard case .stationInfo(let measured) = programme.info(measured: BitRate(bitsPerSecond: 127_600)).first else {
      Issue.record("it is told")
      return
    }
    #expect(measured.bitRate == 128 && measured.sampleRate == 48_000 && measured.codec == "AAC")
    facts.toldBitRate = 64_000
    programme.learn { $0 = facts }
    guard case .stationInfo(let told) = programme.info(measured: BitRate(bitsPerSecond: 127_600)).first else {
      Issue.record("it is told")
      return
    }
    #expect(told.bitRate == 64, "what the station tells goes before what is measured")
  }

  @Test("while the next file is decoded nothing more is told of the one that is heard, but what it is once")
  func infoAtABorder() {
    var programme = Self.begun()
    _ = programme.connected(RadioBench.facts(isLive: false))
    _ = programme.isNew(Self.format)
    var look = ProgrammeLook(now: .zero)
    (look.written, look.ahead, look.border) = (.init(seconds: 9), .init(seconds: 2), .init(seconds: 7))
    #expect(look.decodesNextFile)
    let counts = [programme.info(measured: nil, look).count, programme.info(measured: nil, look).count]
    #expect(counts == [1, 0])
    programme.advance(to: RadioBench.facts(isLive: false))
    look.border = nil
    let next = [programme.info(measured: nil, look).count, programme.info(measured: nil, look).count]
    #expect(!look.decodesNextFile && next == [1, 1])
  }

  @Test("what a list calls its file goes before what the file's own tag does; at a station both are told")
  func titles() {
    var programme = Self.begun()
    _ = programme.connected(RadioBench.facts(isLive: false))
    let (listed, tagged) = (Title("A - B", url: nil), Title("C - D", url: nil))
    #expect(programme.add(listed, at: .zero) == [.metadataReceived(listed)])
    #expect(programme.add(external: tagged, at: .zero).isEmpty)
    _ = programme.connected(RadioBench.facts(isLive: true))
    #expect(programme.add(external: tagged, at: .zero) == [.metadataReceived(tagged)])
  }

  @Test(
    "a live station is held at its wait time or its burst, as long as that may still come in",
    arguments: [(true, 4.0, 4_999, 10.0), (true, 14, 4_999, 14), (true, 14, 5_000, nil), (false, 14, 0, nil)]
      as [(Bool, Double, Int64, Double?)])
  func aims(_ isLive: Bool, _ held: Double, _ since: Int64, _ aim: Double?) {
    var programme = Self.begun()
    _ = programme.connected(RadioBench.facts(isLive: isLive))
    let found = programme.aim(
      wait: StreamTime(seconds: 10), held: StreamTime(seconds: held),
      sinceFirstSound: Duration(milliseconds: since))
    #expect(found == aim.map { StreamTime(seconds: $0) })
  }

  @Test("the next moment is that of a title, of the next file, or of the end")
  func moments() {
    var programme = Self.begun()
    var look = ProgrammeLook(now: .zero)
    let position = StreamTime(seconds: 5)
    #expect(programme.nextMoment(after: position, look) == nil)
    (look.hasEnded, look.written) = (true, StreamTime(seconds: 90.3))
    #expect(programme.nextMoment(after: position, look) == StreamTime(seconds: 90))
    look.border = StreamTime(seconds: 60)
    #expect(programme.nextMoment(after: position, look) == StreamTime(seconds: 60))
    for seconds in [2.0, 40] { _ = programme.add(Title("A - B", url: nil), at: StreamTime(seconds: seconds)) }
    #expect(programme.nextMoment(after: position, look) == StreamTime(seconds: 40))
  }

  @Test("a run is counted by what is told")
  func journal() throws {
    let engine = try FakeEngine()
    let journal = Journal(engine)
    var told: [Double] = []
    journal.observers.first = { _, time in told.append(time) }
    engine.now = engine.now + Duration(milliseconds: 1_500)
    journal.tell([
      .metadataChanged(Title("A - B", url: nil), at: 0), .stitched(overlap: 1, lost: 2, exact: true, estimated: false),
      .rescued(held: 1, waits: engine.waits), .willSuspend,
    ])
    journal.countReconnect()
    journal.account(heard: 3, byteCount: 4)
    journal.lookAtMemory()
    let summary = journal.summary
    #expect(told == [1.5, 1.5, 1.5, 1.5])
    #expect(summary.titles == 1 && summary.stitches == 1 && summary.reconnects == 2 && summary.rescues == 1)
    #expect(summary.lost == 2 && summary.heard == 3 && summary.bytes == 4 && summary.rssAnonPeak == 5_000)
  }
}
