import Blocks
import Testing
import Units

@testable import Framing

struct FlacFramerTests {
  static let frames = (0..<12).map { FlacBuild.frame($0) } + [FlacBuild.frame(12, blockSize: 31)]
  static let sampleCount = 12 * 96 + 31
  static let comments = FlacBuild.block(4, FlacBuild.comments(["TITLE=A song", "artist=Somebody", "ALBUM=It"]))
  static let head = FlacBuild.head(
    sampleCount: sampleCount, blocks: [comments, FlacBuild.block(1, [UInt8](repeating: 0xFF, count: 50), isLast: true)])
  static let file = head + frames.flatMap { $0 }

  static func read(_ stream: [UInt8], step: Int = .max, isOpen: Bool = false) -> PullReading {
    PullReading(FlacFramer(), stream, step: step, isOpen: isOpen)
  }

  @Test(
    "Set-up, tags and frames come in order, for any pieces (C2)",
    arguments: [1, 2, 7, 100, 5_000])
  func wholeFile(step: Int) {
    let reading = Self.read(Self.file, step: step)
    #expect(reading.bytes == Self.frames)
    #expect(reading.order == "st" + String(repeating: "p", count: 13))
    #expect(reading.setups == [CodecSetup(.flac, [FlacBuild.info(sampleCount: Self.sampleCount)])])
    #expect(reading.tags == [StreamTags(title: "A song", artist: "Somebody", album: "It")])
    #expect(reading.skipped == 0)
    #expect(reading.gaps.isEmpty && reading.begins.isEmpty)
    #expect(reading.firstFrames == (0..<13).map { $0 * 96 })
    let offsets = reading.packets.map(\.info.byteOffset)
    #expect(offsets.first == Self.head.count)
    #expect(zip(offsets.dropFirst(), reading.packets).allSatisfy { $0 == $1.info.byteOffset + $1.bytes.count })
    let info = reading.packets[12].info
    #expect(info.format == PacketFormat(codec: .flac, sampleRate: .cd, channels: 2))
    #expect(info.duration == StreamTime(frames: FrameCount(31), at: .cd))
  }

  @Test("A file cut in two anywhere reads the same")
  func everySplit() {
    let form = FlacBuild.Form(blockSize: 16)
    let file =
      FlacBuild.head(form, blocks: [FlacBuild.block(1, [0, 0]), FlacBuild.block(3, [1], isLast: true)])
      + (0..<4).flatMap { FlacBuild.frame($0, form) } + Build.id3v1
    let whole = Self.read(file)
    #expect(whole.packets.count == 4 && whole.skipped == 0)
    for place in 1..<file.count {
      var reading = PullReading()
      var framer = FlacFramer()
      reading.read(&framer, Array(file[..<place]), isOpen: true)
      reading.read(&framer, Array(file[place...]))
      #expect(reading.packets == whole.packets && reading.order == whole.order && reading.skipped == 0, "at \(place)")
    }
  }

  @Test(
    "Any rate, depth, channel count and block length is read",
    arguments: [
      FlacBuild.Form(rate: 8_000, channels: 1, bits: 8, blockSize: 16),
      FlacBuild.Form(rate: 96_000, channels: 8, bits: 24, blockSize: 300),
      FlacBuild.Form(rate: 384_000, channels: 3, bits: 32, blockSize: 257, isVariable: true),
      FlacBuild.Form(rate: 11_025, channels: 5, bits: 12, blockSize: 192, tellsAll: false),
      FlacBuild.Form(rate: 44_100, channels: 2, bits: 4, blockSize: 40, tellsAll: false),
    ])
  func forms(form: FlacBuild.Form) {
    let frames = (0..<5).map { FlacBuild.frame($0, form) }
    let reading = Self.read(FlacBuild.head(form) + frames.flatMap { $0 }, step: 64)
    #expect(reading.bytes == frames)
    #expect(reading.firstFrames == (0..<5).map { $0 * form.blockSize })
    #expect(reading.tags == [StreamTags()])
    let format = PacketFormat(codec: .flac, sampleRate: SampleRate(Int32(form.rate)), channels: UInt8(form.channels))
    #expect(reading.packets.allSatisfy { $0.info.format == format })
    let duration = StreamTime(frames: FrameCount(form.blockSize), at: format.sampleRate)
    #expect(reading.packets.allSatisfy { $0.info.duration == duration })
  }

  @Test("Silence gives short frames, and a long frame is one with many bytes")
  func lengths() {
    let silence = (0..<50).map { FlacBuild.frame($0, isConstant: true, seed: 1) }
    #expect(Self.read(FlacBuild.head() + silence.flatMap { $0 }, step: 3).bytes == silence)
    let form = FlacBuild.Form(channels: 4, bits: 32, blockSize: 5_000)
    let long = (0..<3).map { FlacBuild.frame($0, form) }
    let reading = Self.read(FlacBuild.head(form) + long.flatMap { $0 }, step: 10_000)
    #expect(reading.bytes == long)
    #expect(reading.mostHeld <= long[0].count + FlacFrameHeader.maxByteCount)
  }

  @Test("Only the last frame needs the stream's end")
  func openEnd() {
    let reading = Self.read(Self.file, isOpen: true)
    #expect(reading.bytes == Array(Self.frames.dropLast()))
    let few = Self.head + Self.frames[0] + Array(Self.frames[1].prefix(FlacBuild.header(1).count))
    #expect(Self.read(few, step: 1, isOpen: true).bytes == [Self.frames[0]])
  }

  @Test(
    "Numbers of up to 36 bits become samples", arguments: [127, 128, 2_047, 2_048, 65_536, 1 << 26, 1 << 36 - 3])
  func greatNumbers(number: Int) {
    let form = FlacBuild.Form(blockSize: 4_096)
    let frames = (number..<number + 2).map { FlacBuild.frame($0, form, isConstant: true) }
    let reading = Self.read(FlacBuild.head(form) + frames.flatMap { $0 })
    #expect(reading.firstFrames == [number * 4_096, (number + 1) * 4_096])
  }

  @Test("Fewer than 2,000 samples in a second are refused", arguments: [1, 1_999])
  func leastRate(rate: Int) {
    let form = FlacBuild.Form(rate: rate, blockSize: 4_096)
    let stream = FlacBuild.head(form) + (0..<3).flatMap { FlacBuild.frame($0, form, isConstant: true) }
    #expect(Self.read(stream).packets.isEmpty)
  }

  @Test("A number beyond countable time is ignored")
  func numbersBeyondReach() {
    let form = FlacBuild.Form(rate: 2_000, blockSize: 4_096)
    let last = 1 << 36 - 3
    let stream = FlacBuild.head(form) + (last...last + 2).flatMap { FlacBuild.frame($0, form, isConstant: true) }
    let reading = Self.read(stream)
    #expect(reading.packets.count == 3 && reading.firstFrames == [nil, nil, nil])
  }

  @Test("Pictures, padding and ID3 tags may be skipped")
  func absent() {
    let picture = FlacBuild.block(6, [UInt8](repeating: 0xFF, count: 70_000))
    let head = FlacBuild.head(blocks: [picture, Self.comments, FlacBuild.block(1, [0, 0, 0], isLast: true)])
    let stream = Build.id3(Build.quiet(500, seed: 3)) + head + Self.frames.flatMap { $0 }
    for step in [1, 40, 4_096] {
      var framer = FlacFramer()
      var reading = PullReading()
      var asked: [Int] = []
      var place = 0
      while place < stream.count {
        if framer.absentByteCount > 0 {
          asked.append(framer.absentByteCount)
          place += framer.absentByteCount
          framer.passAbsent()
          #expect(framer.absentByteCount == 0)
        } else {
          let end = min(place + step, stream.count)
          reading.read(&framer, Array(stream[place..<end]), isOpen: end < stream.count)
          place = end
        }
      }
      #expect(reading.bytes == Self.frames)
      #expect(reading.tags.map(\.title) == ["A song"])
      #expect(reading.packets.first?.info.byteOffset == stream.count - Self.frames.joined().count)
      #expect(asked.contains { $0 > 60_000 })
    }
  }

  @Test("A file's map has its first frame, its length and its seek points")
  func facts() {
    let points: [(UInt64, UInt64)] = [
      (0, 0), (96, 400), (.max, 0), (192, 800), (150, 900), (1 << 40, 1_000), (288, 1 << 63),
    ]
    let table = FlacBuild.block(3, points.flatMap { FlacBuild.point($0.0, $0.1) } + [1, 2], isLast: true)
    let head = FlacBuild.head(sampleCount: 1 << 35, blocks: [table])
    var framer = FlacFramer()
    #expect(framer.headerFacts == nil)
    var reading = PullReading()
    reading.read(&framer, head + Self.frames.flatMap { $0 })
    let kept = [(0, 0), (96, 400), (192, 800)].map { FlacFacts.Point(firstFrame: $0.0, byte: $0.1) }
    #expect(
      framer.headerFacts == FlacFacts(firstByte: head.count, sampleCount: 1 << 35, rate: .cd, points: kept))
  }

  @Test("An endless seek table is thinned")
  func longTable() throws {
    let count = 5_000
    let points = (0..<count).flatMap { FlacBuild.point(UInt64($0 * 96), UInt64($0 * 400)) }
    var framer = FlacFramer()
    var reading = PullReading()
    reading.read(&framer, FlacBuild.head(blocks: [FlacBuild.block(3, points, isLast: true)]) + Self.frames[0])
    let kept = try #require(framer.headerFacts?.points)
    #expect(kept.count == 1_250)
    #expect(kept.enumerated().allSatisfy { $0.element.firstFrame == $0.offset * 4 * 96 })
  }

  @Test("Comments are read up to 64 KiB, the first of two counts, and frames follow")
  func longComments() {
    let long = FlacBuild.comments(["TITLE=First", "LYRICS=" + String(repeating: "la ", count: 50_000)])
    let blocks = [FlacBuild.block(4, long), FlacBuild.block(4, FlacBuild.comments(["TITLE=Second"]), isLast: true)]
    let reading = Self.read(FlacBuild.head(blocks: blocks) + Self.frames.flatMap { $0 }, step: 1_000)
    #expect(reading.tags == [StreamTags(title: "First")])
    #expect(reading.bytes == Self.frames)
    #expect(reading.mostHeld <= 65_536)
  }

  @Test(
    "Tags after the last frame end it, and are not garbage",
    arguments: [Build.id3v1, Build.ape([1, 2, 3]) + Build.id3v1])
  func trailingTags(tags: [UInt8]) {
    for step in [1, 50, Int.max] {
      let reading = Self.read(Self.file + tags, step: step)
      #expect(reading.bytes == Self.frames)
      #expect(reading.skipped == 0)
      let chained = Self.read(Self.file + tags + Self.file, step: step)
      #expect(chained.bytes == Self.frames + Self.frames)
      #expect(chained.skipped == 0)
    }
  }

  @Test("A second stream has its own set-up and tags", arguments: [1, 99, Int.max])
  func chain(step: Int) {
    let form = FlacBuild.Form(rate: 48_000, channels: 1, blockSize: 64)
    let other = (0..<4).map { FlacBuild.frame($0, form) }
    let reading = Self.read(Self.file + FlacBuild.head(form) + other.flatMap { $0 } + Self.file, step: step)
    #expect(reading.bytes == Self.frames + other + Self.frames)
    #expect(reading.begins == [13, 17])
    #expect(reading.gaps.isEmpty)
    #expect(reading.setups.count == 3 && reading.tags.count == 3)
    #expect(reading.firstFrames.suffix(17) == [0, 64, 128, 192] + (0..<13).map { $0 * 96 })
    #expect(reading.order.suffix(8 + 13) == "stppppst" + String(repeating: "p", count: 13))
  }

  @Test("A change of rate, channels or depth costs no frame", arguments: ["rate", "channels", "bits"])
  func changes(kind: String) {
    var other = FlacBuild.Form()
    switch kind {
    case "rate": other.rate = 48_000
    case "channels": other.channels = 3
    default: other.bits = 24
    }
    let frames = (0..<20).map { FlacBuild.frame($0, $0 / 4 % 2 == 0 ? FlacBuild.Form() : other) }
    let reading = Self.read(FlacBuild.head() + frames.flatMap { $0 }, step: 50)
    #expect(reading.bytes == frames)
    #expect(reading.skipped == 0 && reading.gaps.isEmpty)
    #expect(reading.setups.count == 5)
  }

  /// A frame of an encoder from before FLAC 1.2.1: the number counts samples, without a mark in the header.
  private static func oldFrame(_ sample: Int, blockSize: Int) -> [UInt8] {
    FlacBuild.frame(sample, blockSize: blockSize)
  }

  @Test("Old files with variable blocks, numbered by samples, play whole")
  func oldVariableBlocks() {
    let sizes = [96, 200, 64, 96, 300, 48, 96, 96]
    let starts = sizes.indices.map { sizes[..<$0].reduce(0, +) }
    let frames = zip(starts, sizes).map { Self.oldFrame($0, blockSize: $1) }
    let head = FlacBuild.head(FlacBuild.Form(blockSize: 4_608), blocks: [])
    let reading = Self.read(head + frames.flatMap { $0 }, step: 100)
    #expect(reading.bytes == frames)
    #expect(reading.firstFrames == starts)
    #expect(reading.skipped == 0 && reading.gaps.isEmpty)
  }

  @Test("A loss in an old file is a gap at its sample")
  func oldLoss() {
    let starts = (0..<10).map { 96 * $0 + ($0 > 4 ? 30 : 0) }
    let frames = starts.map { Self.oldFrame($0, blockSize: $0 == 384 ? 126 : 96) }
    let cut = frames[..<6] + frames[8...]
    let head = FlacBuild.head(FlacBuild.Form(blockSize: 4_608), blocks: [])
    let reading = Self.read(head + cut.flatMap { $0 })
    #expect(reading.bytes.suffix(2) == frames.suffix(2))
    #expect(reading.gaps == [6])
  }

  @Test(
    "A metadata block that is longer than its content costs no frame", arguments: [1, 4, 6, 2],
    [1, 4, 8, 300, 3_000, 1 << 24 - 1])
  func longMetadata(type: UInt8, excess: Int) {
    let content = type == 4 ? FlacBuild.comments(["TITLE=A song"]) : [UInt8](repeating: 0xFF, count: 40)
    // A comment block is read up to 64 KiB.
    let byteCount = min(type == 4 ? 3_200 : 1 << 24 - 1, content.count + excess)
    let block = FlacBuild.block(type, content, isLast: true, byteCount: byteCount)
    let frames = (0..<40).map { FlacBuild.frame($0) }
    for step in [1_000_000, 100, 1] + Array(5...21) {
      let reading = Self.read(FlacBuild.head(blocks: [block]) + frames.flatMap { $0 }, step: step)
      #expect(reading.bytes == frames, "\(step)")
      #expect(reading.order == "st" + String(repeating: "p", count: frames.count), "\(step)")
      #expect(reading.firstFrames.first == 0)
      if type == 4 { #expect(reading.tags.first?.title == "A song") }
    }
  }

  @Test("A minimum block size of 0 is accepted")
  func zeroBlocks() {
    let head = Array("fLaC".utf8) + FlacBuild.block(0, FlacBuild.info(least: 0), isLast: true)
    #expect(Self.read(head + Self.frames.flatMap { $0 }).bytes == Self.frames)
  }
}
