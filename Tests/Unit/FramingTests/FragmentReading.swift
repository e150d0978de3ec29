import Framing

struct ReadFragments: Equatable {
  var audio: [UInt8] = []
  var tags: [[UInt8]] = []

  /// Continues with `reader`, in pieces of `step` bytes.
  init(_ stream: [UInt8], with reader: inout FragmentReader, step: Int = .max) {
    var place = 0
    while place < stream.count {
      let end = step < stream.count - place ? place + step : stream.count
      reader.read(
        stream[place..<end].span, audio: { append($0, to: \.audio) }, tag: { tags.append($0.array) })
      place = end
    }
  }

  init(_ stream: [UInt8], step: Int = .max) {
    var reader = FragmentReader()
    self.init(stream, with: &reader, step: step)
  }

  private mutating func append(_ bytes: Span<UInt8>, to path: WritableKeyPath<Self, [UInt8]>) {
    for index in bytes.indices { self[keyPath: path].append(bytes[index]) }
  }

  var packets: [[UInt8]] { Framed(audio).bytes }
}

enum AccessUnits {
  static func make(_ sizes: [Int], seed: UInt64 = 1) -> [[UInt8]] {
    sizes.enumerated().map { Build.quiet($1, seed: seed &* 1_000 &+ UInt64($0)) }
  }

  static let some = make([300, 1, 372, 5, 200, 411, 77, 360])

  static func frames(_ units: [[UInt8]], profile: UInt8 = 1, rate: UInt8 = 4, channels: UInt8 = 2) -> [[UInt8]] {
    units.map { Build.adtsHeader(byteCount: $0.count + 7, profile: profile, rate: rate, channels: channels) + $0 }
  }
}
