import AudioOutput
import Framing
import Recordings
import Testing
import Units

@testable import Network
@testable import RadioEngine

/// A programme from the order to its end, without threads: notices of the threads, and their effects.
@Suite struct PlaybackTests {
  typealias Order = FakeEngine.Order

  private static func fault(_ detail: PlaybackFault.Detail, status: Int = 0) -> PlaybackFault {
    PlaybackFault(detail, url: RadioBench.station, status: status)
  }

  private static func feed(_ names: String...) -> FileList {
    FileList(
      url: "http://h/list", isFeed: true,
      items: names.map { FileList.Item(url: StationAddress("http://h/\($0)"), title: $0.uppercased()) })
  }

  @Test("A file that ends without decoded audio is a fault, also in a list", arguments: [false, true])
  func silentFile(isInList: Bool) throws {
    let bench = try RadioBench()
    bench.radio.tune(StationRequest(url: RadioBench.station))
    if isInList {
      let items = ["a", "b"].map { FileList.Item(url: StationAddress("http://h/\($0)"), title: nil) }
      bench.net(.listed(FileList(url: "http://h/list", isFeed: false, items: items)))
    }
    bench.net(.connected(RadioBench.facts(isLive: false)))
    bench.forget()
    bench.decode(.flowing, .noAudio)
    let told = bench.told()
    #expect(told.contains { $0.name == "badContent" } && !told.contains { $0.name == "fileComplete" })
    #expect(told.last == .stopped(.error) && bench.radio.state == .stopped)
    #expect(bench.radio.failure?.detail == .undecodable && bench.radio.failure?.cause == .notAudio)
  }

  @Test("A file with audio may end without a further packet, as after a seek")
  func silentEnd() throws {
    let bench = try RadioBench()
    bench.radio.tune(StationRequest(url: RadioBench.station))
    bench.net(.connected(RadioBench.facts(isLive: false)))
    bench.decode(RadioBench.format, .flowing)
    bench.forget()
    bench.decode(.noAudio)
    #expect(bench.told().isEmpty && bench.radio.state != .stopped && bench.radio.failure == nil)
  }

  // MARK: A station

  @Test("A station goes from the order to the audio, step by step")
  func station() throws {
    let bench = try RadioBench()
    bench.radio.tune(StationRequest(url: RadioBench.station))
    #expect(bench.orders() == [.begin(RadioBench.station, 1, isPaused: false)] && bench.told().isEmpty)
    bench.net(.connecting(url: RadioBench.station))
    #expect(bench.told() == [.connecting(url: RadioBench.station)])
    bench.net(.connected(RadioBench.facts(isLive: true)))
    #expect(bench.told() == [.buffering(held: 0, target: 1)])
    #expect(bench.orders() == [.start(StreamTime(seconds: 1))])
    bench.hold(0...3)
    bench.decode(RadioBench.format, .flowing)
    #expect(bench.told().map(\.name) == ["stationInfo"])
    #expect(bench.orders() == [.refill(StreamTime(seconds: 7))])
    #expect(bench.radio.state == .buffering)
    bench.engine.now = bench.engine.now + Duration(milliseconds: 500)
    bench.sound(at: 0)
    #expect(bench.told() == [.playing(station: "Radio", latency: 0.5, behindLive: 3)])
    #expect(bench.radio.state == .playing && bench.radio.status.codec == "MP3")
  }

  @Test("Notices of another programme are ignored")
  func otherProgramme() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.radio.tune(StationRequest(url: RadioBench.station))
    bench.forget()
    bench.engine.netNotices = [(1, .connected(RadioBench.facts(isLive: true))), (1, .lost)]
    bench.engine.decodeNotices = [(1, .starved)]
    bench.step()
    #expect(bench.told().isEmpty && bench.radio.state == .connecting && bench.radio.status.facts == nil)
  }

  @Test("A refused station is given up with the reason")
  func refused() throws {
    let bench = try RadioBench.inSituation(.connecting)
    bench.net(.fault(Self.fault(.refused(hasCredentials: false), status: 404), isFinal: true))
    #expect(bench.told().map(\.name) == ["httpError", "missingContent", "stopped"])
    #expect(bench.radio.failure?.cause == .notFound && bench.radio.fault?.cause == .notFound)
    #expect(bench.radio.state == .stopped)
  }

  @Test("The buffer of a given-up station plays to its end")
  func givenUp() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.net(.fault(Self.fault(.error(.connectTimeout)), isFinal: true))
    #expect(bench.told().map(\.name) == ["timeoutExceeded"] && bench.radio.state == .playing)
    bench.engine.finishedEpoch = 1
    bench.step()
    #expect(bench.told() == [.stopped(.error)])
  }

  @Test("A lost station reconnects, is joined, and is counted")
  func rejoins() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.net(.lost, .reconnecting(attempt: 2, delay: .zero, reason: Self.fault(.closed)))
    #expect(bench.told().map(\.name) == ["reconnecting"])
    #expect(bench.orders() == [.refill(StreamTime(seconds: 1))])
    #expect(bench.radio.state == .connecting && bench.radio.status.attempt == 2 && bench.radio.fault != nil)
    let stitch = Stitch(
      overlap: StreamTime(seconds: 2), lost: StreamTime(seconds: 0.5), isExact: true, isEstimated: false)
    bench.net(.stitched(stitch))
    #expect(bench.told() == [.stitched(overlap: 2, lost: 0.5, exact: true, estimated: false)])
    #expect(bench.radio.state == .playing && bench.radio.fault == nil)
    #expect(bench.radio.summary.stitches == 1 && bench.radio.summary.lost == 0.5)
  }

  @Test("A restored station refills after a refill's audio, without a pipe reader's buffer")
  func refills() throws {
    let bench = try RadioBench.inSituation(.playing) { $0.readerDelay = StreamTime(seconds: 8) }
    bench.hold(0...14)
    bench.sound(at: 0)
    bench.net(.lost, .reconnecting(attempt: 2, delay: .zero, reason: Self.fault(.closed)))
    bench.net(.connected(RadioBench.facts(isLive: true)))
    let refill = FakeEngine.Order.refill(StreamTime(seconds: 7))
    #expect(!bench.orders().contains(refill))
    bench.hold(0...16)
    bench.sound(at: 0)
    #expect(bench.orders().contains(refill))
  }

  @Test("A title is emitted on arrival, and when audible")
  func titles() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.net(.title(text: "A - B", url: nil, at: StreamTime(seconds: 8)))
    #expect(bench.told() == [.metadataReceived(Title("A - B", url: nil))])
    bench.sound(at: 8)
    #expect(bench.told() == [.metadataChanged(Title("A - B", url: nil), at: 8)])
    #expect(bench.radio.status.title?.track == "B" && bench.radio.summary.titles == 1)
  }

  @Test("A late period is reported, and an underrun refills")
  func starves() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.underruns = 3
    bench.step()
    #expect(bench.told() == [.underrun(held: 15, count: 3)])
    bench.engine.isSounding = false
    bench.decode(.starved)
    #expect(bench.told() == [.queueExhausted(held: 15, count: 3), .buffering(held: 15, target: 7)])
    bench.decode(.flowing)
    bench.engine.now = bench.engine.now + Duration(milliseconds: 1_500)
    bench.sound(at: 6)
    #expect(bench.told().contains(.playing(station: "Radio", latency: 1.5, behindLive: 14)))
  }

  @Test("Buffered but silent audio is rescued")
  func rescues() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.isSounding = false
    for _ in 0..<11 { bench.step(after: 1) }
    #expect(bench.told().map(\.name) == ["rescued"] && bench.orders().contains(.rescue))
    #expect(bench.radio.summary.rescues == 1)
  }

  // MARK: Files and lists

  @Test("A file plays to its end, then nothing")
  func fileEnds() throws {
    let bench = try RadioBench.inSituation(.file)
    bench.engine.finishedEpoch = 1
    bench.step()
    #expect(bench.told() == [.fileComplete(heard: 5), .stopped(.end)] && bench.radio.state == .stopped)
  }

  @Test("A podcast starts its chosen episode, at its stored position")
  func podcast() throws {
    let bench = try RadioBench()
    bench.radio.chooseItem = { $0.items.count - 1 }
    bench.radio.startOfItem = { _ in 30 }
    bench.radio.tune(StationRequest(url: "http://h/feed"))
    bench.forget()
    bench.net(.listed(Self.feed("a", "b")))
    #expect(bench.orders() == [.begin("http://h/b", 2, isPaused: false)])
    #expect(bench.radio.item == 1 && bench.radio.status.list?.items.count == 2 && bench.radio.status.position == 30)
  }

  @Test("A podcast without the chosen episode is an error")
  func noEpisode() throws {
    let bench = try RadioBench()
    bench.radio.chooseItem = { _ in 7 }
    bench.radio.tune(StationRequest(url: "http://h/feed"))
    bench.net(.listed(Self.feed("a")))
    #expect(bench.told() == [.stopped(.error)])
  }

  @Test("The next file of a list follows in the ring, and is reported when audible")
  func follows() throws {
    let bench = try RadioBench.inList("a", "b", "c")
    let names = ["itemBegan", "metadataReceived", "buffering", "stationInfo", "playing", "metadataChanged"]
    #expect(bench.told().map(\.name) == names && bench.radio.item == 0)
    #expect(bench.orders().contains(.follow("http://h/b", token: 1)))
    var facts = RadioBench.facts(isLive: false, seconds: 40)
    facts.url = "http://h/b"
    let border = StreamTime(seconds: 60)
    bench.net(.followed(facts, at: FilePlace(base: border, border: border), token: 1))
    #expect(bench.orders() == [.follow("http://h/c", token: 2)])
    #expect(bench.told().map(\.name) == ["metadataReceived"] && bench.radio.item == 0)
    bench.hold(0...100)
    bench.sound(at: 61)
    let heard = ["fileComplete", "itemBegan", "stationInfo", "playing", "metadataChanged"]
    #expect(bench.told().map(\.name) == heard && bench.radio.item == 1)
    #expect(bench.radio.status.position == 1 && bench.radio.duration == 40)
  }

  @Test("An unread title before a border is reported first, with its own file's time")
  func lateTitle() throws {
    let bench = try RadioBench.inList("a", "b", "c")
    bench.sound(at: 50)
    var facts = RadioBench.facts(isLive: false, seconds: 40)
    facts.url = "http://h/b"
    let border = StreamTime(seconds: 60)
    bench.net(.followed(facts, at: FilePlace(base: border, border: border), token: 1))
    bench.net(.title(text: "Last", url: nil, at: StreamTime(seconds: 59)))
    bench.hold(0...100)
    bench.forget()
    bench.sound(at: 61)
    let told = bench.told()
    #expect(told.first == .metadataChanged(Title("Last", url: nil), at: 59))
    #expect(told.dropFirst().first?.name == "fileComplete" && told.count { $0.name == "metadataChanged" } == 2)
  }

  @Test("An unavailable item is skipped; if none follows, the list ends")
  func skips() throws {
    let bench = try RadioBench.inList("a", "b", "c")
    #expect(bench.radio.playItem(1))
    bench.forget()
    bench.net(.fault(Self.fault(.refused(hasCredentials: false), status: 404), isFinal: true))
    #expect(bench.orders().contains(.begin("http://h/c", 3, isPaused: false)) && bench.radio.item == 2)
    bench.net(.fault(Self.fault(.refused(hasCredentials: false), status: 404), isFinal: true))
    #expect(bench.told().last == .stopped(.error))
  }

  @Test("An item past the list is refused")
  func noItem() throws {
    let bench = try RadioBench.inList("a", "b", "c")
    bench.forget()
    #expect(!bench.radio.playItem(3) && !bench.radio.playItem(-1))
    #expect(bench.orders().isEmpty && bench.told().isEmpty)
  }

  @Test("A follower is requested, played, and forgotten")
  func follower() throws {
    let bench = try RadioBench.inSituation(.file)
    bench.radio.follower = StationRequest(url: "http://h/next")
    #expect(bench.orders() == [.follow("http://h/next", token: 2)])
    let border = StreamTime(seconds: 20)
    var facts = RadioBench.facts(isLive: false, seconds: 40)
    facts.url = "http://h/next"
    bench.net(.followed(facts, at: FilePlace(base: border, border: border), token: 2))
    bench.forget()
    bench.hold(0...60)
    bench.sound(at: 20)
    #expect(bench.told().map(\.name) == ["fileComplete", "followed", "stationInfo", "playing"])
    #expect(bench.radio.follower == nil)
  }

  // MARK: The sink

  private static let failure = SinkError.deviceFailed("card", message: "gone")

  @Test("A failed card is awaited, and its buffer resumes")
  func cardFails() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.failure = Self.failure
    bench.engine.hasUnheard = true
    bench.step()
    #expect(bench.told().map(\.name) == ["deviceLost", "willSuspend", "paused", "suspended"])
    let goesBack = Order.seek(StreamTime(seconds: 5), 1, isExact: true)
    #expect(bench.orders() == [.closeLost, .keepDistance(true), .pause(true), goesBack])
    #expect(bench.radio.deviceFailure == Self.failure && bench.radio.sinkTrouble == Self.failure)
    bench.engine.refusal = Self.failure
    bench.step(after: 0.1)
    #expect(bench.told().isEmpty && bench.orders().contains(.takeUp))
    bench.engine.refusal = nil
    bench.step(after: 1)
    #expect(bench.told().map(\.name) == ["deviceBack", "resumed", "playing"] && bench.radio.deviceFailure == nil)
    #expect(bench.orders().suffix(2) == [.takeUp, .pause(false)])
  }

  @Test("A failed file stops the radio")
  func fileFails() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.isRecoverable = false
    bench.engine.failure = Self.failure
    bench.step()
    #expect(bench.told().map(\.name) == ["deviceLost", "stopped"] && bench.radio.sinkFailure == Self.failure)
    bench.step()
    #expect(bench.told().isEmpty)
  }

  @Test("A card missing from the start is reported once, and a station waits for it")
  func cardMissing() throws {
    let bench = try RadioBench { $0.absence = Self.failure }
    #expect(bench.radio.isSuspended)
    bench.radio.tune(StationRequest(url: RadioBench.station))
    #expect(bench.told().map(\.name) == ["deviceLost", "willSuspend", "suspended", "paused"])
    #expect(bench.orders() == [.begin(RadioBench.station, 1, isPaused: true), .keepDistance(true)])
    bench.step(after: 1)
    #expect(bench.told().map(\.name) == ["deviceBack", "resumed"] && bench.radio.state == .connecting)
  }

  @Test("A machine that slept releases the card, reopens it, and reconnects")
  func sleeps() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.slept = Duration(milliseconds: 1_000)
    bench.step()
    #expect(bench.told().isEmpty, "a second is no sleep")
    bench.engine.slept = Duration(milliseconds: 60_000)
    bench.step()
    #expect(bench.told().map(\.name) == ["willSuspend", "paused", "suspended", "resumed", "playing"])
    #expect(bench.orders() == [.keepDistance(true), .pause(true), .takeUp, .pause(false), .renew])
  }

  @Test("A listener paused over a long sleep finds the connection closed")
  func sleepsPaused() throws {
    let bench = try RadioBench.inSituation(.paused)
    bench.engine.slept = Duration(milliseconds: 400_000)
    bench.step()
    #expect(bench.told().last == .paused(.timeout) && bench.radio.status.isResting)
    let orders = bench.orders()
    #expect(orders.contains(.rest) && !orders.contains(.renew))
  }

  @Test("A device that still plays is released later")
  func letsGo() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.isReleased = false
    bench.radio.suspend()
    #expect(bench.told().map(\.name) == ["willSuspend", "paused"] && bench.radio.isLettingGo)
    bench.step(after: 3)
    #expect(!bench.radio.isLettingGo && bench.radio.isSuspended)
    bench.engine.isReleased = true
    bench.step()
    #expect(bench.told().map(\.name) == ["suspended"])
  }

  @Test("Audio for another card's rate is decoded again when the sink is set")
  func decodesAnew() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.needsFormat = true
    bench.engine.undecoded = StreamTime(seconds: 4)
    bench.step()
    #expect(bench.orders() == [.setFormat, .seek(StreamTime(seconds: 4), 1, isExact: true), .call])
    #expect(bench.told().isEmpty)
  }

  // MARK: Other

  @Test("External titles are requested if the station has them", arguments: [false, true])
  func nowPlaying(_ hasFeed: Bool) throws {
    let bench = try RadioBench()
    #expect(!bench.radio.beginNowPlaying() && !bench.radio.endNowPlaying(), "nothing is played")
    var request = StationRequest(url: RadioBench.station)
    request.externalMetadata.usesAudioCast = hasFeed
    bench.radio.tune(request)
    bench.forget()
    #expect(bench.radio.beginNowPlaying() == hasFeed && bench.radio.endNowPlaying() == hasFeed)
    #expect(bench.orders() == (hasFeed ? [.titles(true), .titles(false)] : []))
  }

  @Test("A song is not saved while stopped, or before a title")
  func keeps() throws {
    let bench = try RadioBench()
    #expect(throws: RecordingError.nothing) { try bench.radio.keep() }
    let playing = try RadioBench.inSituation(.playing)
    #expect(throws: RecordingError.noSong) { try playing.radio.keep() }
  }

  @Test("A recording retains a resting station's connection, or reconnects it")
  func records() throws {
    let bench = try RadioBench.inSituation(.resting)
    try bench.radio.record(RecordingOrder("/r/a.mp3"))
    #expect(bench.orders() == [.record(true), .connectAgain, .record(true)])
    #expect(bench.radio.recording?.path == "/r/a.mp3" && !bench.radio.status.isResting)
    bench.step(after: 400)
    #expect(!bench.radio.status.isResting)
  }

  @Test("An announced ad is reported while audible, lowered by 12 dB if wanted, and ends with the next title")
  func ads() throws {
    var settings = RadioSettings()
    settings.lowersAds = true
    let bench = try RadioBench.inSituation(.playing, settings)
    let ad = AdBreak(.spot, length: StreamTime(seconds: 30))
    bench.net(.ad(.begin(ad), at: StreamTime(seconds: 8)))
    #expect(bench.told().isEmpty && bench.radio.status.adBreak == nil)
    bench.sound(at: 8)
    #expect(bench.told() == [.adBreak(isBeginning: true, kind: .spot, length: 30)])
    #expect(bench.orders() == [.gain(4_214_246)] && bench.radio.status.adBreak == ad)
    bench.radio.setLoudness(-6)
    #expect(bench.orders() == [.gain(2_112_126)])
    bench.net(.title(text: "A - B", url: nil, at: StreamTime(seconds: 20)))
    bench.sound(at: 20)
    #expect(bench.told().map(\.name) == ["metadataReceived", "metadataChanged", "adBreak"])
    #expect(bench.orders() == [.gain(8_408_526)] && bench.radio.status.adBreak == nil)
  }

  @Test(
    "Loudness is a factor, within its range",
    arguments: [
      (0.0, 1 << 24), (nil, 0), (-60, 16_777), (-100, 16_777), (12, 66_791_299), (40, 66_791_299),
    ] as [(Double?, Int32)])
  func loudness(_ decibels: Double?, _ gain: Int32) throws {
    let bench = try RadioBench()
    bench.radio.setLoudness(decibels)
    #expect(bench.orders() == [.gain(gain)])
  }

  @Test(
    "A radio starts with its configured gain, within the same range",
    arguments: [(0.0, 1 << 24), (-60, 16_777), (-100, 16_777), (40, 66_791_299)] as [(Double, Int32)])
  func firstLoudness(_ decibels: Double, _ gain: Int32) throws {
    var settings = RadioSettings()
    settings.gainDecibels = decibels
    let engine = try FakeEngine()
    let radio = Radio(settings, engine)
    #expect(engine.takeOrders().contains(.gain(gain)))
    withExtendedLifetime(radio) {}
  }

  @Test("The last call ends the threads and returns the run's figures, twice the same")
  func closes() throws {
    let bench = try RadioBench.inSituation(.playing)
    bench.engine.underruns = 2
    let summary = bench.radio.close()
    #expect(summary.heard == 5 && summary.underruns == 2 && summary.bytes == 10_000)
    #expect(bench.told() == [.stopped(.user), .summary(summary)])
    #expect(bench.orders() == [.end, .record(false), .stop])
    #expect(bench.radio.close() == summary && bench.told().isEmpty)
  }
}
