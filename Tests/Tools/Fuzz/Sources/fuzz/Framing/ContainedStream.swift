import Blocks
import Framing
import Units

/// Frames an Ogg, FLAC or WAV stream and checks each packet against the stream.
struct ContainedStream: Equatable {
  /// A report of the framer.
  enum Item: Equatable {
    case packet(PacketInfo, sum: UInt32)
    case setup(CodecSetup)
    case tags(StreamTags)
  }

  private(set) var items: [Item] = []
  private(set) var facts: FramedFacts?
  private var skippedByteCount = 0
  private var refusal: RefusedCodec?
  /// The codec in the last setup.
  private var codec: Codec?
  /// Start of the last packet; its end in formats with contiguous packets.
  private var lastPlace = 0
  private var packetByteCount = 0
  /// The bytes that were left out.
  private(set) var passed: [Range<Int>] = []

  /// Maximum packet size.
  private static let longest = 512 << 10

  /// Frames the `pieces` of `stream` with a framer that has already framed `earlier`. `passing`: leaves out bytes that
  /// the framer wants to skip.
  init(
    _ stream: [UInt8], _ form: StreamContainer, in pieces: [Range<Int>], passing: Bool = false,
    after earlier: ContainedStream? = nil, by framer: inout any StreamFramer & ~Copyable
  ) {
    codec = earlier?.codec
    let start = pieces.first?.lowerBound ?? 0
    var place = start
    for piece in pieces {
      while place < piece.upperBound {
        let absent = passing ? framer.absentByteCount : 0
        if absent > 0, absent <= stream.count - place {
          framer.passAbsent()
          passed.append(place..<place + absent)
          place += absent
        } else {
          let count = framer.append(stream.span.extracting(place..<piece.upperBound))
          expect(count > 0, "whoever wants more bytes takes one at least")
          place += count
        }
        drain(stream, form, &framer)
      }
    }
    framer.finish()
    drain(stream, form, &framer)
    (facts, refusal, skippedByteCount) = (framer.facts, framer.refusal, framer.skippedByteCount)
    let counted = packetByteCount + skippedByteCount
    expect(skippedByteCount >= 0 && counted <= stream.count - start, "no byte is counted twice")
  }

  private mutating func drain(
    _ stream: [UInt8], _ form: StreamContainer, _ framer: inout any StreamFramer & ~Copyable
  ) {
    while true {
      var found: (info: PacketInfo, sum: UInt32)?
      let told = framer.next { info, bytes in
        Self.check(info, bytes, stream, form)
        // Other packets are compared with the stream.
        found = (info, form == .ogg ? bytes.sum : 0)
      }
      expect((told == .packet) == (found != nil), "a packet that is told is handed out, and no other")
      switch told {
      case .packet:
        guard let found else { return }
        let info = found.info
        expect(info.format.codec == codec, "what a packet needs is told before")
        expect(info.byteOffset >= lastPlace, "packets follow each other in the stream")
        lastPlace = info.byteOffset + (form == .ogg ? 0 : info.byteCount)
        packetByteCount += info.byteCount
        items.append(.packet(info, sum: found.sum))
      case .setup(let setup):
        expect((1...CodecSetup.maxBytes).contains(setup.byteCount), "a set-up is bounded")
        codec = setup.codec
        items.append(.setup(setup))
      case .tags(let tags):
        tags.expectShowable()
        items.append(.tags(tags))
      case .needsMore: return
      }
    }
  }

  private static func check(_ info: PacketInfo, _ bytes: Span<UInt8>, _ stream: [UInt8], _ form: StreamContainer) {
    expect(info.byteCount == bytes.count && (1...longest).contains(bytes.count), "a packet is as long as it tells")
    if form == .ogg {
      expect(stream.holdsPacket(bytes, fromPageAt: info.byteOffset), "a packet's bytes are those of its page")
    } else {
      let end = info.byteOffset + bytes.count
      expect(info.byteOffset >= 0 && end <= stream.count, "a packet lies in its stream")
      expect(bytes.equals(stream.span.extracting(info.byteOffset..<end)), "its bytes are those there")
    }
    let frames = info.headerFrames
    expect(info.duration >= .zero && frames <= 65_536, "a packet lasts no less than nothing, and 65,536 frames at most")
    let (head, tail) = (info.mutedHead, info.mutedTail)
    expect(head >= 0 && tail >= 0 && head + tail <= frames, "what is not heard of a packet is a part of it")
    expect(info.isTrimmed == (head + tail > 0), "what a container mutes takes no time")
    expect(info.firstFrame.map { $0 >= 0 } ?? true, "frames are counted from 0")
    let audible = info.audible(of: frames)
    expect(audible.lowerBound >= 0 && audible.upperBound <= frames, "what is heard of a packet lies in it")
  }

  /// True if a packet starts in bytes that `other` left out: a metadata block of wrong length contains frames.
  func hasPacket(passedBy other: ContainedStream) -> Bool {
    packets.contains { packet in other.passed.contains { $0.contains(packet.byteOffset) } }
  }

  static func == (one: ContainedStream, other: ContainedStream) -> Bool {
    one.items == other.items && one.facts == other.facts && one.refusal == other.refusal
      && one.skippedByteCount == other.skippedByteCount
  }

  var packets: [PacketInfo] { items.compactMap { if case .packet(let info, _) = $0 { info } else { nil } } }
}

extension StreamTags {
  /// Expects texts that are safe for terminals and displays.
  func expectShowable() {
    for text in [title, artist, album].compactMap(\.self) {
      expect(!text.isEmpty, "a text that says nothing is none")
      text.expectShowable(characterLimit: 4 * 256 + 3 * 2)
    }
  }
}

extension Span<UInt8> {
  /// A hash (FNV-1a).
  fileprivate var sum: UInt32 {
    var sum: UInt32 = 0x811C_9DC5
    for index in indices { sum = (sum ^ UInt32(self[index])) &* 0x0100_0193 }
    return sum
  }
}

extension [UInt8] {
  /// True if a packet with these bytes starts in the page at `offset`. If the packet continues in the next page, only
  /// its first bytes are compared.
  fileprivate func holdsPacket(_ bytes: Span<UInt8>, fromPageAt offset: Int) -> Bool {
    guard offset >= 0, offset + 27 <= count, self[offset..<offset + 4].elementsEqual("OggS".utf8) else { return false }
    let table = offset + 27..<offset + 27 + Int(self[offset + 26])
    var (start, place) = (table.upperBound, table.upperBound)
    for index in table where table.upperBound <= count {
      place += Int(self[index])
      let isEnd = self[index] < 255
      guard isEnd || index + 1 == table.upperBound else { continue }
      let length = place - start
      if place <= count, length > 0, isEnd ? length == bytes.count : length <= bytes.count,
        bytes.extracting(0..<length).equals(span.extracting(start..<place))
      {
        return true
      }
      start = place
    }
    return false
  }
}
