/// The codebooks of a Vorbis set-up header (Vorbis I, 3.2.1), as far as they tell how much memory they take.
///
/// libvorbis takes whatever they claim: a header of a few hundred bytes can describe gigabytes. Of the stack it takes
/// 12 bytes for each entry in use of a book, and the decode thread has 256 KiB.
struct VorbisCodebooks {
  /// Entries in use of the largest book.
  private(set) var longest = 0
  /// Entries of all books.
  private var entries = 0
  /// Numbers in all books that have some.
  private var numbers = 0

  /// About three times what libvorbis' encoder writes at most: 19,413, 3,125 and 85,928.
  private static let mostEntries = 65_536
  private static let longestBook = 8_192
  private static let mostNumbers = 262_144

  private var reader: LowBitReader

  /// Reads a set-up header's codebooks; nil where they are too large, or the header is none.
  init?(_ header: [UInt8]) {
    reader = LowBitReader(header)
    guard header.count > 8, header.starts(with: [5] + "vorbis".utf8) else { return nil }
    reader.skip(56)
    for _ in 0...reader.read(8) {
      guard readBook() else { return nil }
    }
  }

  private mutating func readBook() -> Bool {
    guard reader.read(24) == 0x56_4342 else { return false }
    let dimensions = reader.read(16)
    let count = reader.read(24)
    entries += count
    guard entries <= Self.mostEntries else { return false }
    guard let used = reader.read(1) == 1 ? readOrderedLengths(count) : readLengths(count) else { return false }
    longest = max(longest, used)
    guard longest <= Self.longestBook else { return false }
    switch reader.read(4) {
    case 0: break
    case let kind where kind <= 2:
      reader.skip(64)
      let bits = reader.read(4) + 1
      reader.skip(1)
      numbers += count * dimensions
      guard numbers <= Self.mostNumbers else { return false }
      reader.skip(bits * (kind == 1 ? Self.root(of: count, dimensions) : count * dimensions))
    default: return false
    }
    return !reader.isSpent
  }

  /// Reads the length of each entry's code; how many have one, nil behind the end.
  private mutating func readLengths(_ count: Int) -> Int? {
    guard reader.read(1) == 1 else {
      reader.skip(5 * count)
      return reader.isSpent ? nil : count
    }
    var used = 0
    for _ in 0..<count where reader.read(1) == 1 {
      reader.skip(5)
      used += 1
    }
    return reader.isSpent ? nil : used
  }

  /// Reads how many entries have each length of code, the shortest first.
  private mutating func readOrderedLengths(_ count: Int) -> Int? {
    var length = reader.read(5) + 1
    var done = 0
    while done < count {
      done += reader.read(Int.bitWidth - (count - done).leadingZeroBitCount)
      length += 1
      guard done <= count, length <= 33, !reader.isSpent else { return nil }
    }
    return count
  }

  /// The greatest number whose power of `dimensions` is no more than `count`.
  private static func root(of count: Int, _ dimensions: Int) -> Int {
    guard dimensions > 1, count > 0 else { return count }
    var root = 1
    while isPower(root + 1, dimensions, within: count) { root += 1 }
    return root
  }

  /// Whether `base`, 2 or more, to the power of `exponent` is no more than `limit`.
  private static func isPower(_ base: Int, _ exponent: Int, within limit: Int) -> Bool {
    var (power, left) = (1, exponent)
    while left > 0, power <= limit {
      power *= base
      left -= 1
    }
    return power <= limit
  }
}

/// Bits in the order of Vorbis: the lowest of each byte first; behind the end there are zeros.
private struct LowBitReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether more was read than there is.
  var isSpent: Bool { place > 8 * bytes.count }

  mutating func skip(_ count: Int) { place += count }

  /// The next bits as a number, 32 at most.
  mutating func read(_ count: Int) -> Int {
    var value = 0
    for index in 0..<count where place + index < 8 * bytes.count {
      value |= Int(bytes[(place + index) >> 3] >> UInt8((place + index) & 7) & 1) << index
    }
    place += count
    return value
  }
}
