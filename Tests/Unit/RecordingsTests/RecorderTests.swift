import Testing
import Units

@testable import Blocks
@testable import Recordings

/// Recordings and saved songs, without threads and without a disk.
@Suite struct RecorderTests {
  private static let order = RecordingOrder("/r/a.aac")
  private static let parts = RecordingOrder("evening", reach: .folder, splits: true)

  private static func stopped(_ path: String, _ packets: Int, _ error: RecordingError? = nil) -> RecordingEvent {
    .recordingStopped(path: path, bytes: packets * RecorderBench.byteCount, error: error?.description)
  }

  // MARK: A recording

  @Test("A recording starts with the newest packet, copies new ones, and ends")
  func records() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    #expect(bench.recorder.isBusy && bench.recorder.recording?.path == "/r/a.aac")
    #expect(bench.source.takeOrder() == true)
    #expect(bench.round().isEmpty)
    bench.send(5)
    #expect(bench.round().isEmpty)
    #expect(bench.recorder.recording?.byteCount == 6 * RecorderBench.byteCount)
    #expect(bench.recorder.recording?.freeByteCount == 1_000_000)
    bench.send(1)
    #expect(bench.recorder.end(bench.context) == [Self.stopped("/r/a.aac", 7)])
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(9..<16)])
    #expect(!bench.recorder.isActive && bench.recorder.recording == nil)
    #expect(bench.source.takeOrder() == false)
    #expect(bench.recorder.end(bench.context).isEmpty, "nothing runs")
  }

  @Test("Packets wait for the station's name")
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

  @Test("While stopped, the next programme is recorded from its first packet")
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

  @Test("A recording that waits for a programme ends without one")
  func endsWhileItWaits() throws {
    let bench = try RecorderBench()
    bench.context.isPlaying = false
    try bench.recorder.begin(Self.order, bench.context)
    #expect(bench.recorder.end(bench.context) == [Self.stopped("/r/a.aac", 0)])
  }

  @Test("A programme's end ends its recording, with the reason")
  func programmeEnds() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.send(5)
    let told = bench.recorder.programmeEnds(bench.context, .tuned)
    #expect(told == [Self.stopped("/r/a.aac", 6, .tuned)])
    #expect(bench.recorder.programmeEnds(bench.context, .tuned).isEmpty)
  }

  @Test("The last call closes open files")
  func finishes() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.send(5)
    #expect(bench.recorder.finish(bench.context) == [Self.stopped("/r/a.aac", 6)])
    #expect(bench.files.map(\.isClosed) == [true])
  }

  @Test("Another format ends a recording")
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

  @Test("A codec with headers is not recorded, with a report", arguments: [Codec.vorbis, .opus, .flac, .pcm])
  func notRecordable(codec: Codec) throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.send(2)
    bench.send(2, codec)
    let format = PacketFormat(codec: codec, sampleRate: SampleRate(44_100), channels: 2)
    #expect(bench.round() == [Self.stopped("/r/a.aac", 3, .notRecordable(format))])
    #expect(bench.files.map(\.isClosed) == [true], "it ends as a whole file")
    #expect(throws: RecordingError.notRecordable(format)) { try bench.recorder.begin(Self.order, bench.context) }
  }

  @Test("A failing file ends its recording, with a report")
  func fileFails() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.round()
    bench.source.files.fail(1, .gone("/r/a.aac"))
    #expect(bench.round() == [Self.stopped("/r/a.aac", 1, .gone("/r/a.aac"))])
  }

  @Test("A stalled disk leaves packets in the ring; a dropped one ends the recording")
  func slowDisk() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.source.files.isSlow = true
    bench.send(5)
    bench.round()
    bench.send(2_000)
    bench.round()
    bench.source.files.isSlow = false
    let told = bench.round() + bench.round()
    guard case .recordingStopped(_, _, let error) = told.first else {
      Issue.record("it is told")
      return
    }
    #expect(error == RecordingError.slow("/r/a.aac").description)
  }

  // MARK: Refusals

  @Test("A recording that cannot start is refused, and none runs")
  func refusals() throws {
    let bench = try RecorderBench()
    bench.send(10)
    let outside = RecordingOrder("../evening", reach: .folder, splits: true)
    #expect(throws: RecordingError.outside("../evening")) { try bench.recorder.begin(outside, bench.context) }
    bench.source.files.refusal = .taken("/r/a.aac")
    #expect(throws: RecordingError.taken("/r/a.aac")) { try bench.recorder.begin(Self.order, bench.context) }
    bench.source.files.refusal = nil
    #expect(!bench.recorder.isActive)
    try bench.recorder.begin(Self.order, bench.context)
    #expect(throws: RecordingError.busy) { try bench.recorder.begin(Self.order, bench.context) }
  }

  @Test("A song that cannot be saved is refused")
  func songRefusals() throws {
    let bench = try RecorderBench()
    func refusal(_ which: SongChoice = .current) -> RecordingError? {
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
    "A song is saved from its title to the next, and so is the previous one",
    arguments: [(SongChoice.current, "A - B.aac", 10..<20), (.previous, "X - Y.aac", 0..<10)])
  func keeps(_ which: SongChoice, _ path: String, _ packets: Range<Int>) throws {
    let bench = try RecorderBench()
    for (number, title) in ["X - Y", "A - B", "C - D"].enumerated() { bench.title(title, at: Double(number)) }
    bench.context.position = StreamTime(seconds: 1.5)
    bench.send(30)
    let (song, told) = try bench.recorder.keep(which, bench.context)
    #expect(song.path == path && song.missing == 0 && !song.goesOn)
    #expect(told == [.songKept(song, bytes: packets.count * RecorderBench.byteCount, error: nil)])
    #expect(bench.files.map(\.bytes) == [RecorderBench.bytes(packets)])
    #expect(throws: RecordingError.keptAlready) { try bench.recorder.keep(which, bench.context) }
    #expect(bench.files.count == 1, "a saved song makes no second file")
  }

  @Test("A playing song is saved to its end, with a margin on both sides")
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

  @Test("A split recording gives each title a file, and ends with the last")
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

  @Test("An unrecordable title ends a split recording, without an empty file")
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

  @Test("A flood of titles ends a split recording")
  func flood() throws {
    let bench = try RecorderBench.recording(Self.parts, after: 20)
    bench.round()
    var told: [RecordingEvent] = []
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

  @Test("An ending recording gets a moment before the next one is refused")
  func settles() throws {
    let bench = try RecorderBench.recording(Self.order, after: 10)
    bench.round()
    bench.source.files.isSlow = true
    #expect(bench.recorder.end(bench.context).isEmpty)
    #expect(bench.recorder.settle(bench.context).isEmpty, "the disk does not answer")
    #expect(throws: RecordingError.busy) { try bench.recorder.begin(Self.order, bench.context) }
    bench.source.files.isSlow = false
    #expect(bench.recorder.settle(bench.context) == [Self.stopped("/r/a.aac", 1)])
    try bench.recorder.begin(Self.order, bench.context)
  }
}
