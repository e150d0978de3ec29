import Testing
import Units

@testable import Blocks
@testable import RadioEngine

/// What is recorded and kept of a programme, without a thread and without a disk.
@Suite struct RecorderTests {
  private static let order = RecordingOrder("/r/a.aac")
  private static let parts = RecordingOrder("evening", reach: .folder, splits: true)

  private static func stopped(_ path: String, _ packets: Int, _ error: RecordingError? = nil) -> Event {
    .recordingStopped(path: path, bytes: packets * RecorderBench.byteCount, error: error?.description)
  }

  // MARK: A recording

  @Test("a recording begins with the newest packet, takes what comes, and ends with it")
  func records() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    #expect(bench.recorder.isBusy && bench.recorder.recording?.path == "/r/a.aac")
    #expect(bench.engine.takeOrders().last == .record(true))
    #expect(bench.round().isEmpty)
    bench.send(5)
    #expect(bench.round().isEmpty)
    #expect(bench.recorder.recording?.byteCount == 6 * RecorderBench.byteCount)
    #expect(bench.recorder.recording?.freeByteCount == 1_000_000)
    bench.send(1)
    #expect(bench.recorder.end(bench.context) == [Self.stopped("/r/a.aac", 7)])
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(9..<16)])
    #expect(!bench.recorder.isActive && bench.recorder.recording == nil)
    #expect(bench.engine.takeOrders().last == .record(false))
    #expect(bench.recorder.end(bench.context).isEmpty, "nothing runs")
  }

  @Test("packets wait until it is known what the station is called")
  func waitsForName() throws {
    let bench = try RecorderBench()
    bench.context.station = nil
    bench.send(10)
    try bench.recorder.begin(Self.order, bench.context)
    bench.round()
    #expect(bench.files.map(\.bytes) == [[]])
    bench.context.station = "Radio"
    bench.round()
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(9..<10)])
    bench.round()
    #expect(bench.files[0].cue.contains("Radio"))
  }

  @Test("where nothing is played, the next programme is recorded from its first packet on")
  func waitsForProgramme() throws {
    let bench = try RecorderBench()
    bench.context.isPlaying = false
    try bench.recorder.begin(Self.order, bench.context)
    bench.send(3)
    #expect(bench.round().isEmpty && bench.files.map(\.bytes) == [[]])
    bench.context.isPlaying = true
    bench.recorder.programmeBegins(2)
    bench.begin(2)
    bench.send(4)
    bench.round()
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(0..<4)])
  }

  @Test("a recording that waits for a programme ends without one")
  func endsWhileItWaits() throws {
    let bench = try RecorderBench()
    bench.context.isPlaying = false
    try bench.recorder.begin(Self.order, bench.context)
    #expect(bench.recorder.end(bench.context) == [Self.stopped("/r/a.aac", 0)])
  }

  @Test("a programme that ends takes its recording with it, and says why")
  func programmeEnds() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.send(5)
    let told = bench.recorder.programmeEnds(bench.context, .tuned)
    #expect(told == [Self.stopped("/r/a.aac", 6, .tuned)])
    #expect(bench.recorder.programmeEnds(bench.context, .tuned).isEmpty)
  }

  @Test("the last call closes what is open")
  func finishes() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.send(5)
    #expect(bench.recorder.finish(bench.context) == [Self.stopped("/r/a.aac", 6)])
    #expect(bench.files.map(\.isClosed) == [true])
  }

  @Test("another format ends a recording")
  func formatChanges() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.send(2)
    bench.send(2, .mpegLayer2)
    let told = bench.round()
    let formats = [Codec.aac, .mpegLayer2].map {
      PacketFormat(codec: $0, sampleRate: SampleRate(44_100), channels: 2)
    }
    #expect(told == [Self.stopped("/r/a.aac", 3, .changed(formats[0], formats[1]))])
  }

  @Test("what needs headers of its own is not recorded, which is told", arguments: [Codec.vorbis, .opus, .flac, .pcm])
  func notRecordable(codec: Codec) throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.send(2)
    bench.send(2, codec)
    let format = PacketFormat(codec: codec, sampleRate: SampleRate(44_100), channels: 2)
    #expect(bench.round() == [Self.stopped("/r/a.aac", 3, .notRecordable(format))])
    #expect(bench.files.map(\.isClosed) == [true], "it ends as a whole file")
    #expect(throws: RecordingError.notRecordable(format)) { try bench.recorder.begin(Self.order, bench.context) }
  }

  @Test("a file that fails ends its recording, and is told")
  func fileFails() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.round()
    bench.engine.files.fail(1, .gone("/r/a.aac"))
    #expect(bench.round() == [Self.stopped("/r/a.aac", 1, .gone("/r/a.aac"))])
  }

  @Test("a disk that takes nothing leaves packets in the ring; what is dropped there ends the recording")
  func slowDisk() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.engine.files.isSlow = true
    bench.send(5)
    bench.round()
    bench.send(2_000)
    bench.round()
    bench.engine.files.isSlow = false
    let told = bench.round() + bench.round()
    guard case .recordingStopped(_, _, let error) = told.first else {
      Issue.record("it is told")
      return
    }
    #expect(error == RecordingError.slow("/r/a.aac").description)
  }

  // MARK: Refusals

  @Test("a recording that cannot begin is refused, and none runs")
  func refusals() throws {
    let bench = try RecorderBench()
    bench.send(10)
    let outside = RecordingOrder("../evening", reach: .folder, splits: true)
    #expect(throws: RecordingError.outside("../evening")) { try bench.recorder.begin(outside, bench.context) }
    bench.engine.files.refusal = .taken("/r/a.aac")
    #expect(throws: RecordingError.taken("/r/a.aac")) { try bench.recorder.begin(Self.order, bench.context) }
    bench.engine.files.refusal = nil
    #expect(!bench.recorder.isActive)
    try bench.recorder.begin(Self.order, bench.context)
    #expect(throws: RecordingError.busy) { try bench.recorder.begin(Self.order, bench.context) }
  }

  @Test("a song that cannot be kept is refused")
  func songRefusals() throws {
    let bench = try RecorderBench()
    func refusal(_ which: Radio.Song = .current) -> RecordingError? {
      do throws(RecordingError) { _ = try bench.recorder.keep(which, bench.context) } catch { return error }
      return nil
    }
    bench.context.isPlaying = false
    #expect(refusal() == .nothing)
    bench.context.isPlaying = true
    #expect(refusal() == .noSong, "no title")
    bench.title("", at: 0)
    #expect(refusal() == .noSong, "an empty title")
    #expect(refusal(.previous) == .noSongBefore)
    bench.title("A - B", at: 1)
    bench.context.position = StreamTime(seconds: 1.5)
    #expect(refusal(.previous) == .noSongBefore, "an empty title is no song")
    #expect(refusal() == .nothing, "no packet")
    bench.send(20)
    #expect(refusal() == nil && refusal() == .keptAlready)
    bench.title("C - D", at: 2)
    bench.context.position = StreamTime(seconds: 2.5)
    bench.send(2_000)
    #expect(refusal(.previous) == .songGone)
    bench.context.epoch = 2
    #expect(refusal() == .nothing, "another programme is in the ring")
    #expect(RecordingError.songGone != .nothing)
  }

  // MARK: Songs

  @Test(
    "a song is kept from its title to the next, and the one before it too",
    arguments: [(Radio.Song.current, "A - B.aac", 10..<20), (.previous, "X - Y.aac", 0..<10)])
  func keeps(_ which: Radio.Song, _ path: String, _ packets: Range<Int>) throws {
    let bench = try RecorderBench()
    for (number, title) in ["X - Y", "A - B", "C - D"].enumerated() { bench.title(title, at: Double(number)) }
    bench.context.position = StreamTime(seconds: 1.5)
    bench.send(30)
    let (song, told) = try bench.recorder.keep(which, bench.context)
    #expect(song.path == path && song.missing == 0 && !song.goesOn)
    #expect(told == [.songKept(song, bytes: packets.count * RecorderBench.byteCount, error: nil)])
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(packets)])
  }

  @Test("a song that goes on is kept to its end, with a margin on both sides")
  func keepsOn() throws {
    var settings = RecordingSettings()
    settings.margin = StreamTime(seconds: 0.2)
    let bench = try RecorderBench(settings)
    bench.title("A - B", at: 1)
    bench.context.position = StreamTime(seconds: 1.5)
    bench.send(20)
    let (song, told) = try bench.recorder.keep(.current, bench.context)
    #expect(song.goesOn && told.isEmpty)
    bench.title("C - D", at: 3)
    bench.send(20)
    let end = bench.round()
    guard case .songKept(let kept, _, nil) = end.first else {
      Issue.record("it is told")
      return
    }
    #expect(!kept.goesOn && kept.path == "A - B.aac")
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(8..<32)])
  }

  // MARK: A file for each title

  @Test("a recording that is split gives each title a file, and ends with the last")
  func splits() throws {
    let bench = try RecorderBench()
    bench.title("X - Y", at: 0)
    bench.send(10)
    try bench.recorder.begin(Self.parts, bench.context)
    bench.round()
    bench.title("A - B", at: 2)
    bench.send(20)
    #expect(bench.round().isEmpty)
    bench.round()
    #expect(bench.files.map(\.path) == ["evening/01 X - Y.aac", "evening/02 A - B.aac"])
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(0..<20), RecorderBench.bytes(20..<30)])
    #expect(bench.recorder.end(bench.context) == [Self.stopped("evening", 30)])
  }

  @Test("a title of what cannot be recorded ends a recording that is split, and leaves no empty file")
  func splitsNoFurther() throws {
    let bench = try RecorderBench()
    bench.title("X - Y", at: 0)
    bench.send(10)
    try bench.recorder.begin(Self.parts, bench.context)
    bench.round()
    bench.send(10)
    bench.title("A - B", at: 2)
    bench.send(20, .flac)
    let told = bench.round() + bench.round()
    let format = PacketFormat(codec: .flac, sampleRate: SampleRate(44_100), channels: 2)
    #expect(told == [Self.stopped("evening", 20, .notRecordable(format))])
    #expect(bench.files.map(\.path) == ["evening/01 X - Y.aac"])
  }

  @Test("a flood of titles ends a recording that is split")
  func flood() throws {
    let bench = try RecorderBench.recording(Self.parts, after: 20)
    bench.round()
    var told: [Event] = []
    for number in 0..<12 {
      bench.title("T - \(number)", at: 2 + Double(number) / 10)
      bench.send(2)
      told += bench.round()
    }
    told += bench.round()
    guard case .recordingStopped(_, _, let error) = told.last else {
      Issue.record("it is told")
      return
    }
    #expect(error == RecordingError.flood("evening").description)
  }

  @Test("a recording that ends is given a moment before the next one is refused")
  func settles() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.round()
    bench.engine.files.isSlow = true
    #expect(bench.recorder.end(bench.context).isEmpty)
    #expect(bench.recorder.settle(bench.context).isEmpty, "the disk does not answer")
    #expect(throws: RecordingError.busy) { try bench.recorder.begin(Self.order, bench.context) }
    bench.engine.files.isSlow = false
    #expect(bench.recorder.settle(bench.context) == [Self.stopped("/r/a.aac", 1)])
    try bench.recorder.begin(Self.order, bench.context)
  }
}
