import Framing
import Testing
import Units

@testable import Network
@testable import RadioEngine

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

  @Test("A new programme has nothing of the previous one except the next number")
  func begins() {
    var programme = Self.begun()
    #expect(programme.epoch == 1 && programme.tuned == MonotonicTime(milliseconds: 5))
    _ = programme.connected(RadioBench.facts(isLive: true))
    programme.fault = Self.fault(.error(.connectTimeout))
    programme.isGivenUp()
    programme.reconnects(3, Self.fault(.silence(seconds: 3)))
    programme.isRejoining = true
    _ = (programme.isNew(Self.format), programme.add(Title("A - B", url: nil), at: .zero))
    programme.begin(at: .zero, underruns: 4)
    #expect(programme.epoch == 2 && programme.facts == nil && programme.codec == nil && programme.attempt == 0)
    #expect(programme.failure == nil && programme.fault == nil && !programme.isRejoining)
    #expect(programme.titles.entry(at: .zero) == nil)
  }

  @Test("A file restarted elsewhere retains its facts")
  func leaves() {
    var programme = Self.begun()
    _ = programme.connected(RadioBench.facts(isLive: false, seconds: 100))
    programme.fault = Self.fault(.error(.connectTimeout))
    programme.isGivenUp()
    programme.leave(heard: 12, underruns: 3)
    #expect(programme.epoch == 2 && programme.playedBefore == 12 && programme.facts != nil)
    #expect(programme.failure == nil && programme.fault == nil)
  }

  @Test("A list's name for a file stays when its tags arrive again")
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
    // A link of the same file with another title.
    #expect(programme.add(Title("Tag 3", url: nil), at: StreamTime(seconds: 60)).count == 1)
  }

  @Test("A file at the end of countable time ends there")
  func farEnd() {
    var look = ProgrammeSnapshot(now: .zero, facts: RadioBench.facts(isLive: false, seconds: 100))
    look.base = StreamTime(ticks: .max - 5)
    #expect(look.reach == look.base...look.base)
  }

  @Test("A programme's figures are added once, and again after a restart elsewhere")
  func accounts() {
    var programme = Programme()
    var taken = [programme.claimAccount()]
    programme.begin(at: .zero, underruns: 0)
    taken += [programme.claimAccount(), programme.claimAccount()]
    programme.leave(heard: 1, underruns: 0)
    taken += [programme.claimAccount(), programme.claimAccount()]
    #expect(taken == [false, true, false, true, false])
  }

  @Test("A late period is reported once, and those before the programme never")
  func late() {
    var programme = Self.begun()
    let late = [3, 4, 4].map { programme.isLate($0) }
    #expect(late == [false, true, false])
  }

  @Test(
    "A response reports if a presumed live stream is a file, and if it had been lost",
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
    "Each fault is reported by its events",
    arguments: [
      (fault(.refused(hasCredentials: false), status: 404), ["httpError", "missingContent"]),
      (fault(.refused(hasCredentials: false), status: 503), ["httpError"]),
      (fault(.error(.connectTimeout)), ["timeoutExceeded"]), (fault(.error(.noNetwork)), ["noNetwork"]),
      (fault(.emptyList), ["urlNotFound"]), (fault(.noAudio), ["badContent"]),
      (fault(.error(.localFile(errno: 2))), ["missingContent"]),
    ])
  func faults(_ fault: PlaybackFault, _ names: [String]) { #expect(fault.events.map(\.name) == names) }

  @Test("A file without ranges is reported with its host, if known")
  func readThrough() {
    for (host, name) in [("h", "h"), (nil, "The station")] {
      var programme = Self.begun()
      _ = programme.connected(RadioBench.facts(isLive: false))
      let message = "\(name) gives no parts of a file, so all before the place that you asked for is read first."
      let told = programme.isReadThrough("http://h/x", of: host)
      #expect(told == [.readThrough(url: "http://h/x", message: message)] && programme.facts?.isSeekable == false)
    }
  }

  @Test("Undecodable packets are a fault of the station's or the requested address")
  func undecodable() {
    var programme = Self.begun()
    let request = StationRequest(url: "http://h/asked")
    #expect(programme.undecodable(request).url == "http://h/asked" && programme.undecodable(nil).url.isEmpty)
    let facts = RadioBench.facts(isLive: true)
    _ = programme.connected(facts)
    let fault = programme.undecodable(request)
    #expect(fault.url == facts.url && fault.cause == .notAudio && fault.detail == .undecodable)
  }

  @Test("A programme is described when both facts are known, and when they change")
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

  @Test("While the next file is decoded, the audible one is described at most once")
  func infoAtABorder() {
    var programme = Self.begun()
    _ = programme.connected(RadioBench.facts(isLive: false))
    _ = programme.isNew(Self.format)
    var look = ProgrammeSnapshot(now: .zero)
    (look.written, look.ahead, look.border) = (.init(seconds: 9), .init(seconds: 2), .init(seconds: 7))
    #expect(look.decodesNextFile)
    let counts = [programme.info(measured: nil, look).count, programme.info(measured: nil, look).count]
    #expect(counts == [1, 0])
    programme.advance(to: RadioBench.facts(isLive: false))
    look.border = nil
    let next = [programme.info(measured: nil, look).count, programme.info(measured: nil, look).count]
    #expect(!look.decodesNextFile && next == [1, 1])
  }

  @Test("A list's name for a file has priority over its tag; at a station both are reported")
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
    "A live station's goal is its wait time or its burst, while that may still arrive",
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

  @Test("The next event is a title, the next file, or the end")
  func moments() {
    var programme = Self.begun()
    var look = ProgrammeSnapshot(now: .zero)
    let position = StreamTime(seconds: 5)
    #expect(programme.nextMoment(after: position, look) == nil)
    (look.hasEnded, look.written) = (true, StreamTime(seconds: 90.3))
    #expect(programme.nextMoment(after: position, look) == StreamTime(seconds: 90))
    look.border = StreamTime(seconds: 60)
    #expect(programme.nextMoment(after: position, look) == StreamTime(seconds: 60))
    for seconds in [2.0, 40] { _ = programme.add(Title("A - B", url: nil), at: StreamTime(seconds: seconds)) }
    #expect(programme.nextMoment(after: position, look) == StreamTime(seconds: 40))
  }

  @Test("A run is counted by its events")
  func journal() throws {
    let engine = try FakeEngine()
    let journal = Journal(engine)
    var told: [Double] = []
    journal.observers.first = { _, time in told.append(time) }
    engine.now = engine.now + Duration(milliseconds: 1_500)
    journal.emit([
      .metadataChanged(Title("A - B", url: nil), at: 0), .stitched(overlap: 1, lost: 2, exact: true, estimated: false),
      .rescued(held: 1, waits: engine.waits), .willSuspend,
    ])
    journal.countReconnect()
    journal.account(heard: 3, byteCount: 4)
    journal.sampleMemory()
    let summary = journal.summary
    #expect(told == [1.5, 1.5, 1.5, 1.5])
    #expect(summary.titles == 1 && summary.stitches == 1 && summary.reconnects == 2 && summary.rescues == 1)
    #expect(summary.lost == 2 && summary.heard == 3 && summary.bytes == 4 && summary.rssAnonPeak == 5_000)
  }
}
