/// A channel layout in an AAC stream (ISO 14496-3, 4.4.1.1), reduced to an ADTS channel configuration.
enum ProgramConfigElement {
  /// Channel elements of one direction. A set bit in `pairs` is a channel pair; bit 0 is the last element.
  private struct Elements: Equatable {
    var count = 0
    var pairs: UInt32 = 0

    mutating func append(isPair: Bool) {
      count += 1
      pairs = pairs << 1 | (isPair ? 1 : 0)
    }

    static let none = Elements()
    static let one = Elements(count: 1, pairs: 0b0)
    static let pair = Elements(count: 1, pairs: 0b1)
    static let onePair = Elements(count: 2, pairs: 0b01)
    static let onePairPair = Elements(count: 3, pairs: 0b011)
  }

  /// Returns the equivalent channel configuration, 1 … 7, or nil. `start`: the bit from which byte alignment counts.
  static func channelConfiguration(_ bits: inout BitReader, of bytes: Span<UInt8>, alignedTo start: Int) -> UInt8? {
    // Instance tag, object type, sample rate index.
    bits.skip(4 + 2 + 4)
    let frontCount = bits.bits(4, of: bytes)
    let restCount = bits.bits(4, of: bytes) + bits.bits(4, of: bytes)
    let bassCount = bits.bits(2, of: bytes)
    let dataCount = bits.bits(3, of: bytes)
    let couplingCount = bits.bits(4, of: bytes)
    // Mono, stereo and matrix mixdown.
    if bits.flag(of: bytes) { bits.skip(4) }
    if bits.flag(of: bytes) { bits.skip(4) }
    if bits.flag(of: bytes) { bits.skip(3) }
    let front = elements(frontCount, &bits, of: bytes)
    let rest = elements(restCount, &bits, of: bytes)
    bits.skip(Int(4 * bassCount + 4 * dataCount + 5 * couplingCount))
    bits.align(from: start)
    bits.skip(Int(8 * bits.bits(8, of: bytes)))
    guard !bits.isPastEnd, couplingCount == 0 else { return nil }
    return configuration(front, rest, bassCount)
  }

  private static func elements(_ count: UInt32, _ bits: inout BitReader, of bytes: Span<UInt8>) -> Elements {
    var elements = Elements()
    for _ in 0..<count {
      elements.append(isPair: bits.flag(of: bytes))
      // Instance tag.
      bits.skip(4)
    }
    return elements
  }

  /// ISO 14496-3, table 1.19. Side and back elements count together, as a decoder distinguishes them only by order.
  private static func configuration(_ front: Elements, _ rest: Elements, _ bassCount: UInt32) -> UInt8? {
    switch (front, rest, bassCount) {
    case (.one, .none, 0): 1
    case (.pair, .none, 0): 2
    case (.onePair, .none, 0): 3
    case (.onePair, .one, 0): 4
    case (.onePair, .pair, 0): 5
    case (.onePair, .pair, 1): 6
    case (.onePairPair, .pair, 1): 7
    default: nil
    }
  }
}
