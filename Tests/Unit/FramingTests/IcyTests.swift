import Framing
import SeededRandom
import Testing

struct Demuxed: Equatable {
  var audio: [UInt8] = []
  var blocks: [[UInt8]] = []

  init(audio: [UInt8], blocks: [[UInt8]]) {
    self.audio = audio
    self.blocks = blocks
  }

  init(_ stream: [UInt8], metaint: Int, step: Int) {
    var demuxer = IcyDemuxer(metaint: metaint)
    for start in stride(from: 0, to: stream.count, by: step) {
      demuxer.demux(stream[start..<min(start + step, stream.count)].span) {
        audio += $0.array
      } metadata: {
        blocks.append($0.array)
      }
    }
  }
}

func metadataBlock(_ text: [UInt8]) -> [UInt8] {
  let length = (text.count + 15) / 16
  return [UInt8(length)] + text + [UInt8](repeating: 0, count: length * 16 - text.count)
}

struct IcyDemuxerTests {
  @Test(arguments: [1, 2, 16, 255, 1000])
  func partsAudioFromMetadataAtEverySplit(metaint: Int) {
    var random = SeededGenerator(5)
    let audio = random.bytes(metaint * 6 + metaint / 2)
    let texts: [[UInt8]] = [
      Array("StreamTitle='A';".utf8), [], random.bytes(4080), [], Array("StreamTitle='B - C';StreamUrl='';".utf8),
      random.bytes(16),
    ]
    var stream: [UInt8] = []
    for index in 0..<6 { stream += audio[index * metaint..<(index + 1) * metaint] + metadataBlock(texts[index]) }
    stream += audio[(metaint * 6)...]
    let blocks = texts.filter { !$0.isEmpty }.map { Array(metadataBlock($0).dropFirst()) }
    for step in [1, 2, 15, 16, 17, 1460, stream.count] {
      #expect(Demuxed(stream, metaint: metaint, step: step) == Demuxed(audio: audio, blocks: blocks))
    }
  }

  @Test(arguments: [0, -1])
  func withoutAnIntervalAllIsAudio(metaint: Int) {
    let bytes: [UInt8] = Array(0...255)
    #expect(Demuxed(bytes, metaint: metaint, step: 10) == Demuxed(audio: bytes, blocks: []))
  }

  @Test func anythingMayCome() {
    var random = SeededGenerator(6)
    var excess = 0
    for _ in 0..<100_000 {
      let bytes = random.bytes(Int.random(in: 0...64, using: &random))
      let parted = Demuxed(
        bytes, metaint: Int.random(in: 1...5, using: &random), step: Int.random(in: 1...64, using: &random))
      excess += parted.audio.count > bytes.count ? 1 : 0
    }
    #expect(excess == 0)
  }
}

struct IcyMetadataTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var block: String
    var title: String?
    var url: String?
    var testDescription: String { block }
  }

  static let rows = [
    Row(block: "StreamTitle='A - B';StreamUrl='http://x';\0\0\0", title: "A - B", url: "http://x"),
    Row(
      block: "StreamTitle='Don't stop; it's '70s';StreamUrl='http://x';", title: "Don't stop; it's '70s",
      url: "http://x"),
    Row(block: "StreamTitle='a'; b';StreamUrl='';", title: "a'; b", url: ""),
    Row(block: "streamtitle='a';STREAMURL='b';", title: "a", url: "b"),
    Row(block: "StreamTitle='';", title: "", url: nil),
    Row(block: "StreamUrl='u';", title: nil, url: "u"),
    Row(block: "StreamTitle='no end", title: "no end", url: nil),
    Row(block: "StreamTitle='no semicolon'", title: "no semicolon", url: nil),
    Row(block: "StreamTitle='no quote;StreamUrl='u';", title: "no quote", url: "u"),
    Row(block: "StreamTitle=bare; and more;StreamUrl=http://x/;", title: "bare; and more", url: "http://x/"),
    Row(block: "StreamTitle=bare", title: "bare", url: nil),
    Row(block: "StreamTitle=\"twice\";", title: "twice", url: nil),
    Row(block: "StreamTitle='one';StreamTitle='two';", title: "one", url: nil),
    Row(block: "StreamTitle='a'; StreamUrl='b';", title: "a", url: "b"),
    Row(block: "StreamTitle='a';;StreamUrl='b';", title: "a", url: "b"),
    Row(
      block: "adw_ad='true';durationMilliseconds='30000';StreamTitle='x=y';StreamUrl='b';", title: "x=y", url: "b"),
    Row(block: "StreamTitle='it';s';", title: "it';s", url: nil),
    Row(block: "StreamTitle=", title: "", url: nil),
    Row(block: "StreamTitle='", title: "", url: nil),
    Row(block: "StreamTitle=;", title: "", url: nil),
    Row(block: "StreamTitle", title: nil, url: nil),
    Row(block: "garbage", title: nil, url: nil),
    Row(block: "\0\0\0", title: nil, url: nil),
    Row(block: "", title: nil, url: nil),
  ]

  @Test(arguments: rows)
  func findsTitleAndURL(row: Row) {
    let bytes = Array(row.block.utf8)
    let fields = IcyMetadata(parsing: bytes.span)
    func text(_ range: Range<Int>?) -> String? { range.map { String(decoding: bytes[$0], as: UTF8.self) } }
    #expect(text(fields.title) == row.title)
    #expect(text(fields.url) == row.url)
  }

  @Test func anythingMayCome() {
    var random = SeededGenerator(8)
    var outside = 0
    let letters = Array("StreamTitle='\";StreamUrl='; =\0".utf8)
    for _ in 0..<100_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random)! }
      let fields = IcyMetadata(parsing: bytes.span)
      for range in [fields.title, fields.url].compactMap(\.self) {
        outside += range.lowerBound < 0 || range.upperBound > bytes.count ? 1 : 0
      }
      let quoted = Array("StreamTitle='".utf8) + bytes
      _ = IcyMetadata(parsing: quoted.span)
    }
    #expect(outside == 0)
  }

  @Test func aHostileBlockTakesNoTime() {
    for filler in [";", ";;A", "';", "'; ", "A", ";A="] {
      let block = "StreamTitle='" + String(repeating: filler, count: 4000 / filler.utf8.count)
      _ = IcyMetadata(parsing: Array(block.utf8).span)
    }
  }
}
