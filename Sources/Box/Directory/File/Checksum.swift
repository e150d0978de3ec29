/// The checksum XXH64 with seed 0, for data in pieces (xxHash specification, version 0.1.1).
struct Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private var first = prime1 &+ prime2
  private var second = prime2
  private var third: UInt64 = 0
  private var fourth = 0 &- prime1
  private var count: UInt64 = 0
  /// Up to 31 bytes of an incomplete stripe.
  private var rest: [UInt8] = []

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum = Checksum()
    sum.append(bytes)
    return sum.value
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var place = 0
    if !rest.isEmpty {
      let taken = min(32 - rest.count, bytes.count)
      rest += bytes[..<taken]
      place = taken
      guard rest.count == 32 else { return }
      rest.withUnsafeBytes { mix($0, at: 0) }
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count - place >= 32 {
      mix(bytes, at: place)
      place += 32
    }
    rest += bytes[place...]
  }

  private mutating func mix(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    first = Self.round(first, Self.word(bytes, place))
    second = Self.round(second, Self.word(bytes, place + 8))
    third = Self.round(third, Self.word(bytes, place + 16))
    fourth = Self.round(fourth, Self.word(bytes, place + 24))
  }

  var value: UInt64 {
    var sum = third &+ Self.prime5
    if count >= 32 {
      sum = Self.turn(first, 1) &+ Self.turn(second, 7) &+ Self.turn(third, 12) &+ Self.turn(fourth, 18)
      for lane in [first, second, third, fourth] {
        sum = (sum ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
      }
    }
    sum &+= count
    var tail = rest[...]
    while tail.count >= 8 {
      sum = Self.turn(sum ^ Self.round(0, Self.number(tail.prefix(8))), 27) &* Self.prime1 &+ Self.prime4
      tail = tail.dropFirst(8)
    }
    if tail.count >= 4 {
      sum = Self.turn(sum ^ Self.number(tail.prefix(4)) &* Self.prime1, 23) &* Self.prime2 &+ Self.prime3
      tail = tail.dropFirst(4)
    }
    for byte in tail { sum = Self.turn(sum ^ UInt64(byte) &* Self.prime5, 11) &* Self.prime1 }
    sum = (sum ^ sum >> 33) &* Self.prime2
    sum = (sum ^ sum >> 29) &* Self.prime3
    return sum ^ sum >> 32
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    turn(lane &+ word &* prime2, 31) &* prime1
  }

  private static func turn(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
}
