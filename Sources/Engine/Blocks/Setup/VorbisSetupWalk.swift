/// Parses the parts of a Vorbis set-up header in their order. Each function fails if its part is invalid or truncated.
struct VorbisSetupWalk {
  private var reader: LowBitReader
  private(set) var needs = VorbisNeeds()
  private var books: [Int] = []

  init(_ header: Span<UInt8>) { reader = LowBitReader(header, at: 7) }

  static func width(_ value: Int) -> Int { Int.bitWidth - max(0, value).leadingZeroBitCount }

  mutating func skipBooks(_ bytes: Span<UInt8>) -> Bool {
    for _ in 0...reader.bits(8, of: bytes) {
      guard reader.bits(24, of: bytes) == 0x564342 else { return false }
      let (dimensions, entries) = (reader.bits(16, of: bytes), reader.bits(24, of: bytes))
      let isOrdered = reader.flag(of: bytes)
      guard dimensions > 0, isOrdered ? skipOrdered(entries, bytes) : skipLengths(entries, bytes),
        skipLookup(dimensions, entries, bytes), !reader.isPastEnd
      else { return false }
      books.append(dimensions)
      needs.entries += entries
    }
    return true
  }

  private mutating func skipLengths(_ entries: Int, _ bytes: Span<UInt8>) -> Bool {
    var used = entries
    if reader.flag(of: bytes) {
      used = 0
      for _ in 0..<entries {
        // A few bytes may claim a codebook of 16 million words.
        guard !reader.isPastEnd else { return false }
        guard reader.flag(of: bytes) else { continue }
        reader.skip(5)
        used += 1
      }
    } else {
      reader.skip(5 * entries)
    }
    needs.longestBook = max(needs.longestBook, used)
    return !reader.isPastEnd
  }

  private mutating func skipOrdered(_ entries: Int, _ bytes: Span<UInt8>) -> Bool {
    var (entry, length) = (0, reader.bits(5, of: bytes) + 1)
    while entry < entries {
      guard length <= 32 else { return false }
      entry += reader.bits(Self.width(entries - entry), of: bytes)
      length += 1
    }
    needs.longestBook = max(needs.longestBook, entries)
    return entry == entries
  }

  private mutating func skipLookup(_ dimensions: Int, _ entries: Int, _ bytes: Span<UInt8>) -> Bool {
    let kind = reader.bits(4, of: bytes)
    guard kind > 0 else { return true }
    guard kind <= 2 else { return false }
    reader.skip(64)
    let width = reader.bits(4, of: bytes) + 1
    reader.skip(1)
    needs.numbers += entries * dimensions
    // The product cannot overflow: the two factors have 24 and 16 bits, and `width` is at most 16.
    reader.skip(width * (kind == 1 ? Self.root(dimensions, of: entries) : entries * dimensions))
    return true
  }

  /// Returns the greatest number whose power with the exponent `dimensions` is at most `entries`.
  static func root(_ dimensions: Int, of entries: Int) -> Int {
    guard dimensions > 1 else { return entries }
    var root = 0
    while power(root + 1, dimensions, isAtMost: entries) { root += 1 }
    return root
  }

  private static func power(_ base: Int, _ exponent: Int, isAtMost most: Int) -> Bool {
    guard base > 1 else { return base <= most }
    var value = 1
    for _ in 0..<exponent {
      value *= base
      if value > most { return false }
    }
    return true
  }

  mutating func skipTimes(_ bytes: Span<UInt8>) -> Bool {
    for _ in 0...reader.bits(6, of: bytes) {
      guard reader.bits(16, of: bytes) == 0 else { return false }
    }
    return !reader.isPastEnd
  }

  mutating func skipFloors(_ bytes: Span<UInt8>) -> Bool {
    for _ in 0...reader.bits(6, of: bytes) {
      switch reader.bits(16, of: bytes) {
      case 0:
        reader.skip(8 + 16 + 16 + 6 + 8)
        reader.skip(8 * (reader.bits(4, of: bytes) + 1))
      case 1: skipFloor(bytes)
      default: return false
      }
    }
    return !reader.isPastEnd
  }

  private mutating func skipFloor(_ bytes: Span<UInt8>) {
    let classes = (0..<reader.bits(5, of: bytes)).map { _ in reader.bits(4, of: bytes) }
    var dimensions = InlineArray<16, Int>(repeating: 0)
    for index in 0..<((classes.max() ?? -1) + 1) {
      dimensions[index] = reader.bits(3, of: bytes) + 1
      let subclasses = reader.bits(2, of: bytes)
      reader.skip((subclasses > 0 ? 8 : 0) + (8 << subclasses))
    }
    reader.skip(2)
    let width = reader.bits(4, of: bytes)
    for index in classes { reader.skip(width * dimensions[index]) }
  }

  mutating func skipResidues(_ bytes: Span<UInt8>) -> Bool {
    for _ in 0...reader.bits(6, of: bytes) {
      guard reader.bits(16, of: bytes) <= 2 else { return false }
      reader.skip(24 + 24 + 24)
      let (classes, book) = (reader.bits(6, of: bytes) + 1, reader.bits(8, of: bytes))
      guard book < books.count else { return false }
      needs.add(classes: classes, dimensions: books[book])
      var count = 0
      for _ in 0..<classes {
        count += reader.bits(3, of: bytes).nonzeroBitCount
        if reader.flag(of: bytes) { count += reader.bits(5, of: bytes).nonzeroBitCount }
      }
      reader.skip(8 * count)
    }
    return !reader.isPastEnd
  }

  mutating func skipMappings(_ bytes: Span<UInt8>, _ channels: Int) -> Bool {
    for _ in 0...reader.bits(6, of: bytes) {
      guard reader.bits(16, of: bytes) == 0 else { return false }
      let submaps = reader.flag(of: bytes) ? reader.bits(4, of: bytes) + 1 : 1
      if reader.flag(of: bytes) {
        let steps = reader.bits(8, of: bytes) + 1
        reader.skip(steps * 2 * Self.width(channels - 1))
      }
      guard reader.bits(2, of: bytes) == 0 else { return false }
      if submaps > 1 { reader.skip(4 * channels) }
      reader.skip(24 * submaps)
    }
    return !reader.isPastEnd
  }

  mutating func modes(_ bytes: Span<UInt8>) -> [Bool]? {
    var modes: [Bool] = []
    for _ in 0...reader.bits(6, of: bytes) {
      modes.append(reader.flag(of: bytes))
      guard reader.bits(32, of: bytes) == 0 else { return nil }
      reader.skip(8)
    }
    // The framing bit.
    return reader.flag(of: bytes) && !reader.isPastEnd ? modes : nil
  }
}
