import Framing
import SeededRandom

struct TransportOutcome: Equatable {
  enum Run: Equatable {
    case sound([UInt8])
    case tag([UInt8])
  }

  var runs: [Run] = []
  var refusal: RefusedCodec?
  var firstTime: UInt64?
  var tagTime: UInt64?
  var byteCountWithoutSound = 0

  var sound: [UInt8] { runs.flatMap { if case .sound(let bytes) = $0 { bytes } else { [] as [UInt8] } } }
  var tags: [[UInt8]] { runs.compactMap { if case .tag(let bytes) = $0 { bytes } else { nil } } }

  init(_ stream: [UInt8], step: Int = .max) {
    self.init(stream) { step }
  }

  init(_ stream: [UInt8], seed: UInt64) {
    var random = SeededGenerator(seed)
    self.init(stream) { Int.random(in: 1...600, using: &random) }
  }

  init(_ stream: [UInt8], step: () -> Int) {
    var reader = TransportStreamReader()
    var place = 0
    while place < stream.count {
      let end = place + min(step(), stream.count - place)
      read(&reader, stream[place..<end].span)
      place = end
    }
    finish(reader)
  }

  /// Reads segments, with a reset before each except the first.
  init(segments: [[UInt8]]) {
    var reader = TransportStreamReader()
    for (index, segment) in segments.enumerated() {
      if index > 0 { reader.reset() }
      read(&reader, segment.span)
    }
    finish(reader)
  }

  private mutating func finish(_ reader: borrowing TransportStreamReader) {
    refusal = reader.refusal
    firstTime = reader.firstTime
    tagTime = reader.tagTime
    byteCountWithoutSound = reader.byteCountWithoutAudio
  }

  private mutating func read(_ reader: inout TransportStreamReader, _ bytes: Span<UInt8>) {
    // Both closures must change this variable. Capturing `self.runs` in both would violate exclusive access.
    var runs = runs
    func add(_ bytes: [UInt8], isTag: Bool) {
      switch runs.last {
      case .sound(let sound) where !isTag:
        runs[runs.count - 1] = .sound([])
        runs[runs.count - 1] = .sound(sound + bytes)
      case .tag(let tag) where isTag && !bytes.starts(with: Array("ID3".utf8)):
        runs[runs.count - 1] = .tag(tag + bytes)
      default: runs.append(isTag ? .tag(bytes) : .sound(bytes))
      }
    }
    reader.read(bytes) {
      add($0.array, isTag: false)
    } tag: {
      add($0.array, isTag: true)
    }
    self.runs = runs
  }

  /// True if every division of the stream into pieces has this outcome.
  func isSameAtEveryCut(_ stream: [UInt8]) -> Bool {
    [1, 187, 188, 189].allSatisfy { TransportOutcome(stream, step: $0) == self }
      && (1...3).allSatisfy { TransportOutcome(stream, seed: $0) == self }
  }
}
