import Framing

/// Demultiplexes an ICY stream in pieces and compares with a simple parser of the whole stream.
final class IcyDemuxing: FuzzTarget {
  static let name = "icy-stream"
  static let longest = 1_000
  static let seeds = [
    [4, 0, 0, 1, 2, 3, 4, 1] + Array("StreamTitle='a'; ".utf8) + [1, 2, 3, 4, 0, 1, 2, 3, 4, 2]
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let metaint = recipe.number(0...300)
    let sizes = recipe.take(4)
    let stream = recipe.rest()
    var arrival = Recipe(sizes.span)
    var demuxer = IcyDemuxer(metaint: metaint)
    var audio: [UInt8] = []
    var blocks: [[UInt8]] = []
    for piece in arrival.pieces(of: stream.count) {
      demuxer.demux(
        stream.span.extracting(piece), audio: { audio += $0.array }, metadata: { blocks.append($0.array) })
    }
    let plain = Self.read(stream, metaint)
    expect(audio == plain.audio, "audio comes whole and in order")
    expect(blocks == plain.blocks, "blocks come whole and in order")
  }

  private static func read(_ stream: [UInt8], _ metaint: Int) -> (audio: [UInt8], blocks: [[UInt8]]) {
    guard metaint > 0 else { return (stream, []) }
    var audio: [UInt8] = []
    var blocks: [[UInt8]] = []
    var rest = stream[...]
    while !rest.isEmpty {
      audio += rest.prefix(metaint)
      rest = rest.dropFirst(metaint)
      let length = 16 * Int(rest.popFirst() ?? 0)
      if length > 0, rest.count >= length { blocks.append(Array(rest.prefix(length))) }
      rest = rest.dropFirst(length)
    }
    return (audio, blocks)
  }
}

/// Converts a metadata block to the displayed text.
final class IcyBlock: FuzzTarget {
  static let name = "icy-metadata"
  static let seeds = [
    "StreamTitle='Artist - Title';StreamUrl='http://a.example/';\0\0", "StreamTitle=\"a\";", "StreamTitle='it's';x';",
    "streamtitle=a;streamurl=b", "StreamTitle='\u{202E}a\u{85}\u{200B}';", "StreamUrl='';StreamTitle='",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let block = bytes.extracting(0..<min(bytes.count, IcyDemuxer.maxBlockByteCount))
    let metadata = IcyMetadata(parsing: block)
    for range in [metadata.title, metadata.url].compactMap(\.self) {
      expect(range.lowerBound >= 0 && range.upperBound <= block.count, "a value lies in its block")
      check(block.extracting(range))
    }
    check(block)
  }

  private func check(_ bytes: Span<UInt8>) {
    let text = DisplayText.clean(MetadataText.decode(bytes))
    text.expectShowable()
    expect(DisplayText.clean(text) == text, "clean text stays as it is")
    let title = TrackTitle.split(text)
    title.artist?.expectShowable()
    title.track.expectShowable()
    expect(title.artist?.isEmpty != true, "an artist has a name")
    let sum = (title.artist?.utf8.count ?? 0) + title.track.utf8.count
    expect(sum <= text.utf8.count, "a title is not longer in its parts")
  }
}

final class Titles: FuzzTarget {
  static let name = "title"
  static let longest = 200
  static let seeds = [
    "Artist - Title", "a \u{2013} b \u{2014} c", " - ", "- a", "a  -  b", "a -", "e\u{301} -\u{301} x",
  ]
  .map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let text = String(decoding: bytes.array, as: UTF8.self)
    let title = TrackTitle.split(text)
    expect(title.artist?.isEmpty != true, "an artist has a name")
    if title.artist != nil { expect(!title.track.isEmpty, "and a track") }
    for part in [title.artist, title.track].compactMap(\.self) {
      expect(part.unicodeScalars.first != " " && part.unicodeScalars.last != " ", "parts are trimmed")
    }
    DisplayText.clean(text, characterLimit: 20, byteLimit: 40).expectShowable(characterLimit: 20, byteLimit: 40)
  }
}

extension Span<UInt8> {
  var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

extension String {
  /// Expects text without control and direction characters, without redundant spaces, and within the limits.
  func expectShowable(characterLimit: Int = 1_024, byteLimit: Int = 4_080) {
    var last: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      let category = scalar.properties.generalCategory
      expect(category != .control && category != .lineSeparator, "no control character is shown")
      expect(!(0x202A...0x202E).contains(scalar.value), "no character turns the direction")
      expect(scalar != " " || last != " ", "spaces are single, and none begins")
      last = scalar
    }
    expect(isEmpty || last != " ", "no space ends")
    expect(unicodeScalars.count <= characterLimit && utf8.count <= byteLimit, "text has its measure")
  }
}
