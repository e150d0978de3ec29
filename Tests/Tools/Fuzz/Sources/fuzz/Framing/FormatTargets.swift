@testable import Framing

/// Pages of Ogg made by a recipe: chains, several streams, losses, granules of any kind.
final class OggFraming: FuzzTarget {
  static let name = "ogg"
  static let longest = 400
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 0, 5, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 6, 8, 6, 8, 6, 8, 6, 8, 6, 0, 1, 1],
    [0, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, 10, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8],
    [1, 2, 3, 0, 0, 5, 0, 5, 0, 0, 0, 0, 0, 1, 6, 0, 0, 0, 0, 0, 3, 7, 0, 0, 0, 0, 1, 2, 3, 4, 0],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    ContainedStream.check(OggRecipe(&recipe).bytes, sizes, .ogg)
  }
}

/// FLAC made by a recipe.
final class FlacFraming: FuzzTarget {
  static let name = "flac"
  static let longest = 300
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 60),
    [1, 2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 5, 0, 2, 0, 0, 0, 9],
    [0, 2, 7, 0, 250, 0, 0, 0, 5, 0, 0, 1, 2, 3, 4, 0, 0, 4, 3, 0, 0, 9, 8, 7, 230, 5, 1, 2, 3, 4, 5, 0, 0, 0],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    ContainedStream.check(FlacRecipe(&recipe).bytes, sizes, .flac)
  }
}

/// WAV made by a recipe: chunks of any order, length and content.
final class WavReading: FuzzTarget {
  static let name = "wav"
  static let longest = 600
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 40, 1, 2, 3, 4, 5, 6, 7, 8],
    [0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 2, 2, 40, 1, 2, 3],
    [3, 3, 3, 3, 2, 3, 0, 20, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 1, 0, 2, 0, 250],
  ]
  private static let kinds = ["fmt ", "data", "LIST", "fact", "ds64", "id3 ", "JUNK"]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    var stream = Array(recipe.pick(["RIFF", "RF64", "BW64", "RIFX"]).utf8)
    stream += Self.length(4_000, &recipe) + Array("WAVE".utf8)
    while !recipe.isOver, stream.count < 100_000 {
      let kind = recipe.pick(Self.kinds)
      let content = kind == "fmt " && recipe.byte() < 230 ? Self.format(&recipe) : Self.content(&recipe)
      stream += Array(kind.utf8) + Self.length(content.count, &recipe) + content
    }
    ContainedStream.check(stream, sizes, .wav)
  }

  private static func content(_ recipe: inout Recipe) -> [UInt8] {
    recipe.flag()
      ? recipe.take(recipe.number(0...255)) : [UInt8](repeating: recipe.byte(), count: recipe.number(0...20_000))
  }

  private static func length(_ count: Int, _ recipe: inout Recipe) -> [UInt8] {
    let told = recipe.pick([count, count, count, count, 0, 0xFFFF_FFFF, 1 << 31, count + 1])
    return (0..<4).map { UInt8(truncatingIfNeeded: told >> (8 * $0)) }
  }

  /// 44,100 Hz, two channels of 16 bits; some bytes may be others.
  private static func format(_ recipe: inout Recipe) -> [UInt8] {
    var format: [UInt8] = [1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]
    for _ in 0..<recipe.number(0...3) { format[recipe.number(0...15)] = recipe.byte() }
    return format
  }
}

/// The comments of Vorbis, Opus and FLAC, made by a recipe or of any bytes.
final class CommentReading: FuzzTarget {
  static let name = "comments"
  static let longest = 300
  static let seeds: [[UInt8]] = [
    [0, 2, 0, 0, 0, 0, 5, 65, 66, 67, 68, 69, 0, 1, 3, 70, 71, 72, 0], [1, 3, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let comments = recipe.flag() ? recipe.rest() : CommentRecipe(&recipe).bytes
    let tags = VorbisComments(comments.span).tags
    for text in [tags.title, tags.artist, tags.album] {
      guard let text else { continue }
      ContainedStream.check(text)
      expect(text.count <= 4 * 256 + 6, "a text has at most four values of 256 characters")
    }
  }
}
