import Blocks
@testable import Framing

/// Frames Ogg pages by a recipe (chains, several streams, losses, any granule positions), or a file with corrected
/// checksums.
final class OggFraming: FuzzTarget {
  static let name = "ogg"
  static let longest = 1_200
  static var seeds: [[UInt8]] {
    recipes.map { [0, 0] + $0 }
      + [EncodedSeed(.opus).ogg, EncodedSeed(.flac).ogg, OggRecipe.vorbis].map { prefix + $0 }
  }
  private static let prefix: [UInt8] = [90, 0, 2, 3, 3, 3, 1]
  private static let recipes: [[UInt8]] = [
    [0, 1, 0, 0, 0, 5, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 6, 8, 6, 8, 6, 8, 6, 8, 6, 0, 1, 1],
    [0, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, 10, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8],
    [1, 2, 3, 0, 0, 5, 0, 5, 0, 0, 0, 0, 0, 1, 6, 0, 0, 0, 0, 0, 3, 7, 0, 0, 0, 0, 1, 2, 3, 4, 0],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let arrival = recipe.take(6)
    let stream = recipe.flag() ? OggRecipe.mended(recipe.rest()) : OggRecipe(&recipe).bytes
    ContainedLaws.check(stream, .ogg, arrival)
  }
}

/// Frames FLAC by a recipe, or a file with corrected checksums.
final class FlacFraming: FuzzTarget {
  static let name = "flac"
  static let longest = 800
  static var seeds: [[UInt8]] { recipes.map { [0, 0] + $0 } + [[0, 1, 0, 0, 0, 0, 1] + EncodedSeed(.flac).flac] }
  private static let recipes: [[UInt8]] = [
    [0, 1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 60),
    [1, 2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 5, 0, 2, 0, 0, 0, 9],
    [0, 2, 7, 0, 250, 0, 0, 0, 5, 0, 0, 1, 2, 3, 4, 0, 0, 4, 3, 0, 0, 9, 8, 7, 230, 5, 1, 2, 3, 4, 5, 0, 0, 0],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let arrival = recipe.take(6)
    let stream = recipe.flag() ? FlacRecipe.mended(recipe.rest()) : FlacRecipe(&recipe).bytes
    ContainedLaws.check(stream, .flac, arrival)
  }
}

/// Frames WAV by a recipe with chunks in any order, length and content, or any bytes.
final class WavReading: FuzzTarget {
  static let name = "wav"
  static let longest = 600
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 40, 1, 2, 3, 4, 5, 6, 7, 8],
    [0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 2, 2, 40, 1, 2, 3],
    [3, 3, 3, 3, 2, 3, 0, 20, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 1, 0, 2, 0, 250],
    [9, 1, 0, 0, 0, 0, 1] + Array("RIFF\0\0\0\0WAVEfmt \u{10}\0\0\0".utf8) + plain
      + Array("data\u{8}\0\0\0abcdefghLIST\u{10}\0\0\0INFOINAM\u{4}\0\0\0abc\0".utf8),
  ]
  private static let kinds = ["fmt ", "data", "LIST", "fact", "ds64", "id3 ", "JUNK", "RIFF", "TAG "]
  /// 44,100 Hz, two channels, 16 bits.
  private static let plain: [UInt8] = [1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let arrival = recipe.take(6)
    ContainedLaws.check(recipe.flag() ? recipe.rest() : Self.file(&recipe), .wav, arrival)
  }

  private static func file(_ recipe: inout Recipe) -> [UInt8] {
    var stream = Array(recipe.pick(["RIFF", "RF64", "BW64", "RIFX"]).utf8)
    stream += length(4_000, &recipe) + Array("WAVE".utf8)
    // Rarely more bytes than a reader's buffer, because that is slow.
    let choice = recipe.byte()
    let longest = choice == 0xFF ? 60_000 : choice > 0xF0 ? 12_000 : 2_000
    while !recipe.isOver, stream.count < longest {
      let kind = recipe.pick(kinds)
      let content =
        switch kind {
        case "fmt ": recipe.byte() < 230 ? format(&recipe) : content(&recipe)
        case "LIST": Array("INFO".utf8) + recipe.pick(texts) + length(4, &recipe) + content(&recipe)
        case "RIFF": Array("WAVE".utf8)
        default: content(&recipe)
        }
      stream += Array(kind.utf8) + length(content.count, &recipe) + content
    }
    return stream
  }

  private static let texts = ["INAM", "IART", "IPRD", "ICMT"].map { Array($0.utf8) }

  private static func content(_ recipe: inout Recipe) -> [UInt8] {
    guard recipe.flag() else { return recipe.take(recipe.number(0...255)) }
    return [UInt8](repeating: recipe.byte(), count: recipe.number(0...255) * recipe.pick([1, 1, 3, 25]))
  }

  private static func length(_ count: Int, _ recipe: inout Recipe) -> [UInt8] {
    let told = recipe.pick([count, count, count, count, 0, 0xFFFF_FFFF, 1 << 31, count + 1])
    return (0..<4).map { UInt8(truncatingIfNeeded: told >> (8 * $0)) }
  }

  /// Creates a format chunk with some changed bytes.
  private static func format(_ recipe: inout Recipe) -> [UInt8] {
    var format = plain
    for _ in 0..<recipe.number(0...3) { format[recipe.number(0...15)] = recipe.byte() }
    return format
  }
}

/// Frames AIFF by a recipe with chunks in any order, length and content, or any bytes.
final class AiffReading: FuzzTarget {
  static let name = "aiff"
  static let longest = 600
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 40, 1, 2, 3, 4, 5, 6, 7, 8],
    [0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 2, 2, 40, 1, 2, 3],
    [9, 1, 0, 0, 0, 0, 1] + Array("FORM\0\0\0\0AIFFCOMM\0\0\0\u{12}".utf8) + plain
      + Array("SSND\0\0\0\u{10}\0\0\0\0\0\0\0\0abcdefghNAME\0\0\0\u{4}abcd".utf8),
  ]
  private static let kinds = ["COMM", "SSND", "NAME", "AUTH", "FVER", "ID3 ", "FORM", "TAG "]
  private static let types = ["NONE", "sowt", "twos", "in24", "fl32", "fl64", "ima4", ""].map { Array($0.utf8) }
  /// 44,100 Hz, two channels, two frames, 16 bits.
  private static let plain: [UInt8] = [0, 2, 0, 0, 0, 2, 0, 16, 0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let arrival = recipe.take(6)
    ContainedLaws.check(recipe.flag() ? recipe.rest() : Self.file(&recipe), .aiff, arrival)
  }

  private static func file(_ recipe: inout Recipe) -> [UInt8] {
    var stream = Array("FORM".utf8) + big(recipe.pick([0, 4_000, 0xFFFF_FFFF]), 4)
    stream += Array(recipe.pick(["AIFF", "AIFC", "8SVX"]).utf8)
    while !recipe.isOver, stream.count < 4_000 {
      let kind = recipe.pick(kinds)
      let content =
        switch kind {
        case "COMM": common(&recipe)
        case "SSND":
          big(recipe.pick([0, 0, 0, 2, 1 << 31]), 4) + [0, 0, 0, 0]
            + [UInt8](repeating: recipe.byte(), count: recipe.number(0...255) * recipe.pick([1, 1, 7]))
        case "FORM": Array("AIFF".utf8)
        default: recipe.take(recipe.number(0...255))
        }
      let told = recipe.pick([content.count, content.count, content.count, 0, 0xFFFF_FFFF, 1 << 31, content.count + 1])
      stream += Array(kind.utf8) + big(told, 4) + content
    }
    return stream
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Creates a COMM chunk with some changed bytes.
  private static func common(_ recipe: inout Recipe) -> [UInt8] {
    var common = plain
    for _ in 0..<recipe.number(0...3) { common[recipe.number(0...17)] = recipe.byte() }
    return common + recipe.pick(types)
  }
}

/// Reads the comments of Vorbis, Opus and FLAC, by a recipe or any bytes.
final class CommentReading: FuzzTarget {
  static let name = "comments"
  static let longest = 300
  static let seeds: [[UInt8]] = [
    [9, 0, 2, 0, 0, 0, 0, 5, 65, 66, 67, 68, 69, 0, 1, 3, 70, 71, 72, 0], [30, 1, 3, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let share = recipe.number(0...255)
    let comments = recipe.flag() ? recipe.rest() : CommentRecipe(&recipe).bytes
    let whole = VorbisComments(comments.span).tags
    whole.expectShowable()
    for text in [whole.title, whole.album].compactMap(\.self) { text.expectShowable(characterLimit: 256) }
    let part = VorbisComments(comments.span.extracting(0..<comments.count * share / 256)).tags
    expect(part.title == nil || part.title == whole.title, "what is cut off changes no title")
    expect(part.album == nil || part.album == whole.album, "nor an album")
    let artists = (part.artist ?? "", whole.artist ?? "")
    expect(artists.1.utf8.starts(with: artists.0.utf8), "of artists only the last ones are cut off")
  }
}
