import Blocks
import Framing

/// What a framer of Ogg, FLAC or WAV makes of a stream; making it checks each packet against the stream.
struct ContainedStream {
  private(set) var packets: [PacketInfo] = []
  private(set) var setups: [CodecSetup] = []
  private(set) var tags: [StreamTags] = []
  private var lastOffset = 0
  private var packetByteCount = 0

  /// The longest packet that is believed.
  private static let longest = 512 * 1_024

  /// Frames `stream` as it arrives in `pieces`.
  init(_ stream: [UInt8], in pieces: [Range<Int>], _ form: StreamContainer) {
    var framer = StreamFramer()
    framer.open(form, followsGap: false)
    for piece in pieces {
      var rest = piece
      while !rest.isEmpty {
        let count = framer.append(stream.span.extracting(rest))
        rest = rest.lowerBound + count..<rest.upperBound
        expect(count > 0, "whoever wants more bytes takes one at least")
        drain(stream, &framer)
      }
    }
    framer.finish()
    drain(stream, &framer)
    expect(packetByteCount + framer.skippedByteCount <= stream.count, "no byte is counted twice")
  }

  private mutating func drain(_ stream: [UInt8], _ framer: inout StreamFramer) {
    while true {
      var (offset, sum) = (lastOffset, 0)
      var found: PacketInfo?
      let told = framer.next { info, bytes in
        expect(info.byteCount == bytes.count && bytes.count <= Self.longest, "a packet is as long as it tells")
        expect(info.byteOffset >= offset && info.byteOffset <= stream.count, "packets follow each other in the stream")
        expect(info.duration >= .zero && info.mutedHead >= 0 && info.mutedTail >= 0, "no time is less than none")
        (offset, sum, found) = (info.byteOffset, sum + bytes.count, info)
      }
      (lastOffset, packetByteCount) = (offset, packetByteCount + sum)
      switch told {
      case .packet:
        expect(found != nil, "a packet that is told is handed out")
        if let found { packets.append(found) }
      case .setup(let setup):
        expect(setup.byteCount <= 2 * CodecSetup.mostBytes, "a set-up is bounded")
        setups.append(setup)
      case .tags(let tags):
        for text in [tags.title, tags.artist, tags.album] { if let text { Self.check(text) } }
        self.tags.append(tags)
      case .needsMore: return
      }
    }
  }

  /// What is shown disturbs no terminal.
  static func check(_ text: String) {
    expect(!text.isEmpty, "a text that says nothing is none")
    for scalar in text.unicodeScalars {
      expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "a text holds no control character")
    }
  }

  /// Two ways of arriving give the same packets, until garbage: how a framer finds its way again may depend on what it
  /// holds just then.
  func agrees(with other: ContainedStream) -> Bool {
    let same = zip(packets, other.packets).prefix { $0 == $1 }.count
    let next = [packets, other.packets].compactMap { same < $0.count ? $0[same] : nil }
    return next.allSatisfy(\.followsGap)
  }

  /// Frames a stream as a whole and in pieces, which is the same.
  static func check(_ stream: [UInt8], _ sizes: [UInt8], _ form: StreamContainer) {
    var arrival = Recipe(sizes.span)
    let whole = ContainedStream(stream, in: [0..<stream.count], form)
    let cut = ContainedStream(stream, in: arrival.pieces(of: stream.count), form)
    expect(whole.agrees(with: cut), "packets do not change by how a stream is cut")
  }
}
