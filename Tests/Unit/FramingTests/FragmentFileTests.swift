import Foundation
import Framing
import Testing

struct FragmentFileTests {
  static let root =
    (ProcessInfo.processInfo.environment["BAKELITE_SHARED"] ?? "../shared") + "/corpora"
  static let cmaf = root + "/hls/media3/cmaf/multi-segment/"
  static let mixed = root + "/hls/media3/hls/multi-segment/"
  static let isHere = FileManager.default.fileExists(atPath: cmaf)

  static func bytes(_ path: String) -> [UInt8] { Array(FileManager.default.contents(atPath: path) ?? Data()) }

  /// The frames of segments with one head, with a `reset` before each segment, and the time of each segment.
  static func segments(_ head: String, _ segments: [String], step: Int = 1_000) -> Segments {
    var reader = FragmentReader()
    _ = ReadFragments(bytes(head), with: &reader, step: step)
    var (audio, times): ([UInt8], [UInt64?]) = ([], [])
    for segment in segments {
      reader.reset()
      audio += ReadFragments(bytes(segment), with: &reader, step: step).audio
      times.append(reader.firstTime?.value)
    }
    return Segments(packets: Framed(audio).bytes, times: times, refusal: reader.refusal)
  }

  struct Segments: Equatable {
    var packets: [[UInt8]]
    var times: [UInt64?]
    var refusal: RefusedCodec?
  }

  @Test("media3's CMAF segments are read", .enabled(if: isHere, "no corpora here"))
  func corpusOfSound() throws {
    let names = (1...12).map { "\(Self.cmaf)audio_\($0).m4s" }
    let read = Self.segments(Self.cmaf + "audio_init.mp4", names)
    #expect(read.refusal == nil)
    // Only audio follows "mdat".
    let mark = Array("mdat".utf8)
    let data = try names.flatMap { name in
      let bytes = Self.bytes(name)
      let place = try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == mark })
      return Array(bytes[(place + 4)...])
    }
    #expect(read.packets.flatMap { $0[7...] } == data)
    let header = try #require(read.packets.first?.adtsHeader)
    #expect(header.sampleRate.hertz == 44_100 && header.channels == 1 && header.profile == 1)
    // The time of each segment counts the samples before it, 1,024 per frame.
    #expect(read.packets.count == 131)
    #expect(read.times.map { $0.map { Int($0) % 1_024 } } == [Int?](repeating: 0, count: 12))
    #expect(read.times.first == 0 && read.times.last == 0x1_E000)
    for step in [1, 17] { #expect(Self.segments(Self.cmaf + "audio_init.mp4", names, step: step) == read) }
  }

  @Test("media3's segments with picture and audio are read", .enabled(if: isHere, "no corpora here"))
  func corpusOfBoth() {
    let names = (0...1).map { "\(Self.mixed)playlist\($0).m4s" }
    let read = Self.segments(Self.mixed + "init.mp4", names)
    #expect(read.refusal == nil && read.times == [0, 0x5000])
    // The audio follows the picture. Its offset counts from the moof, which begins at byte 128.
    let sound = zip(names, [128 + 0x34BD8, 128 + 0x3_054F]).map { Array(Self.bytes($0)[$1...]) }
    let sizes: [Int] = read.packets.prefix(4).map { $0.count - 7 }
    #expect(sizes == [0x13, 0x11, 0x246, 0xDA])
    #expect(read.packets.count == 20 + 25)
    #expect(read.packets.flatMap { $0[7...] } == sound.flatMap { $0 })
  }

  @Test("Unfragmented files are refused", .enabled(if: isHere, "no corpora here"))
  func corpusOfFiles() throws {
    let folder = Self.root + "/aac/"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".m4a") || $0.hasSuffix(".mp4") }
    #expect(names.count > 20)
    for name in names {
      var reader = FragmentReader()
      #expect(ReadFragments(Self.bytes(folder + name), with: &reader, step: 5_000).audio.isEmpty, "\(name)")
      #expect(reader.refusal != nil, "\(name)")
    }
  }
}
