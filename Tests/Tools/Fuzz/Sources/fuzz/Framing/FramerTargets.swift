import Framing

final class MpegFraming: FuzzTarget {
  static let name = "mpeg-framer"
  static let longest = 120
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 0, 0xFB, 0x90, 0x44, 0, 3, 3, 0, 3, 3],
    [0, 1, 0, 0, 0, 0xFB, 0x00, 0x44, 0, 3, 3, 8, 1, 10, 1, 0, 0, 3, 3],
    [0, 1, 0, 0, 0, 0xF3, 0x48, 0xC4, 0, 3, 3, 5, 1, 0, 0, 0, 0, 3, 3],
  ]
  private var framer = PacketFramer()

  func run(_ bytes: Span<UInt8>) { framer.check(bytes, .mpeg) }
}

final class AdtsFraming: FuzzTarget {
  static let name = "adts-framer"
  static let longest = 120
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 0, 0x01, 0x50, 0x80, 0, 3, 3, 100, 80, 90, 100],
    [0, 1, 0, 0, 0, 0x09, 0x4C, 0x40, 0, 3, 3, 9, 9, 9, 9, 11, 0xFB, 0x90, 0x44, 0, 3, 3],
  ]
  private var framer = PacketFramer()

  func run(_ bytes: Span<UInt8>) { framer.check(bytes, .adts) }
}

/// Frames any bytes. The first bytes choose the sizes of the pieces.
final class RawFraming: FuzzTarget {
  static let name = "framer"
  static let longest = 2_500
  private var framer = PacketFramer()

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let stream = recipe.rest()
    var tail = Recipe(stream.suffix(4).reversed().span)
    framer.check(stream, in: tail.pieces(of: stream.count))
  }
}

extension PacketFramer {
  fileprivate mutating func check(_ bytes: Span<UInt8>, _ family: StreamRecipe.Family) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    let stream = StreamRecipe(&recipe, family).bytes
    var arrival = Recipe(sizes.span)
    check(stream, in: arrival.pieces(of: stream.count))
  }

  fileprivate mutating func check(_ stream: [UInt8], in pieces: [Range<Int>]) {
    let whole = FramedStream(stream, in: [0..<stream.count], by: &self)
    let cut = FramedStream(stream, in: pieces, by: &self)
    expect(whole.agrees(with: cut), "a framer without garbage to cross finds the same packets however bytes arrive")
  }
}
