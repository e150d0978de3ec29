import Testing

/// Reads the AAC packets of an MP4 file and writes them as ADTS (ISO 14496-12, -14, -3). Fails the test on malformed
/// files.
struct Mp4Track {
  private let bytes: [UInt8]
  /// The first two bytes of the AudioSpecificConfig: object type, rate and channels of the core below SBR.
  private let config: Int
  private let sizes: [Int]
  private let chunks: [Int]
  private let runs: [(firstChunk: Int, samples: Int)]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let table = try ["moov", "trak", "mdia", "minf", "stbl"].reduce(0..<bytes.count) {
      try #require(Self.box($1, in: $0, of: bytes))
    }
    func field(_ name: String) throws -> Int { try #require(Self.box(name, in: table, of: bytes)).lowerBound }
    func numbers(_ place: Int, _ count: Int, every step: Int) -> [Int] {
      (0..<count).map { Self.number(bytes, place + step * $0, 4) }
    }
    let size = try field("stsz")
    let common = Self.number(bytes, size + 4, 4)
    let count = Self.number(bytes, size + 8, 4)
    sizes = common > 0 ? Array(repeating: common, count: count) : numbers(size + 12, count, every: 4)
    let chunk = try field("stco")
    chunks = numbers(chunk + 8, Self.number(bytes, chunk + 4, 4), every: 4)
    let run = try field("stsc")
    let runCount = Self.number(bytes, run + 4, 4)
    runs = Array(zip(numbers(run + 8, runCount, every: 12), numbers(run + 12, runCount, every: 12)))
    config = try Self.config(in: table, of: bytes)
  }

  /// The whole track as an ADTS stream.
  func adts() -> [UInt8] {
    var stream: [UInt8] = []
    var sample = 0
    for (chunk, offset) in chunks.enumerated() {
      var place = offset
      for _ in 0..<(runs.last { $0.firstChunk <= chunk + 1 }?.samples ?? 0) {
        stream += header(sizes[sample] + 7) + bytes[place..<place + sizes[sample]]
        place += sizes[sample]
        sample += 1
      }
    }
    return stream
  }

  /// Describes AAC-LC, also with SBR or PS (ISO 14496-3 1.A.3).
  private func header(_ byteCount: Int) -> [UInt8] {
    let rate = UInt8(config >> 7 & 15)
    let channels = UInt8(config >> 3 & 15)
    return [
      0xFF, 0xF1, 1 << 6 | rate << 2 | channels >> 2, (channels & 3) << 6 | UInt8(byteCount >> 11),
      UInt8(byteCount >> 3 & 0xFF), UInt8(byteCount & 7) << 5 | 0x1F, 0xFC,
    ]
  }

  /// The AudioSpecificConfig: a descriptor of tag 5 in one of tag 4 in one of tag 3.
  private static func config(in table: Range<Int>, of bytes: [UInt8]) throws -> Int {
    let description = try #require(box("stsd", in: table, of: bytes))
    // QuickTime nests the descriptors one level deeper.
    let name = Array("esds".utf8)
    var place = try #require(description.first { bytes[$0..<$0 + 4].elementsEqual(name) }) + 8
    for (tag, fixedByteCount) in [(3, 3), (4, 13), (5, 0)] {
      try #require(bytes[place] == tag)
      place += 1
      while bytes[place] & 0x80 != 0 { place += 1 }
      place += 1 + fixedByteCount
    }
    return number(bytes, place, 2)
  }

  /// The content of the first box with that name.
  private static func box(_ name: String, in range: Range<Int>, of bytes: [UInt8]) -> Range<Int>? {
    let name = Array(name.utf8)
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let size = number(bytes, place, 4)
      guard size >= 8, size <= range.upperBound - place else { return nil }
      if Array(bytes[place + 4..<place + 8]) == name { return place + 8..<place + size }
      place += size
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
