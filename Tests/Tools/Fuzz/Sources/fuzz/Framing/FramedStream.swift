import Blocks
import Framing
import Glibc

/// Frames a stream and checks each packet against the stream and the framer's counters.
struct FramedStream {
  private(set) var packets: [PacketInfo] = []
  private var taken = 0
  private var lastEnd = 0
  private var lastSkipped = 0
  private var packetByteCount = 0

  /// Frames `stream` in `pieces`. The framer may have been used for another stream before.
  init(_ stream: [UInt8], in pieces: [Range<Int>], by framer: inout PacketFramer) {
    framer.reset(followsGap: false)
    for piece in pieces {
      var rest = piece
      while !rest.isEmpty {
        let count = framer.append(stream.span.extracting(rest))
        expect(count > 0, "after `next` was false, at least one byte fits")
        rest = rest.lowerBound + count..<rest.upperBound
        drain(stream, &framer)
      }
    }
    framer.finish()
    drain(stream, &framer)
    expect(
      packetByteCount + framer.skippedByteCount + framer.taggedByteCount == stream.count,
      "every byte is of a packet, a tag or garbage")
  }

  private mutating func drain(_ stream: [UInt8], _ framer: inout PacketFramer) {
    var info: PacketInfo?
    while framer.next({ found, bytes in
      info = found
      Self.check(found, bytes, stream)
    }) == .packet {
      guard let info else { continue }
      expect(info.byteOffset >= lastEnd, "packets do not overlap")
      expect(
        info.byteOffset == packetByteCount + framer.skippedByteCount + framer.taggedByteCount,
        "a packet's place counts all bytes before it")
      expect(info.followsGap == (framer.skippedByteCount > lastSkipped), "a gap is told where bytes were skipped")
      lastSkipped = framer.skippedByteCount
      lastEnd = info.byteOffset + info.byteCount
      packetByteCount += info.byteCount
      packets.append(info)
    }
  }

  private static func check(_ info: PacketInfo, _ bytes: Span<UInt8>, _ stream: [UInt8]) {
    expect(
      info.byteCount == bytes.count && bytes.count <= 5_000, "a packet is as long as it tells, 5,000 bytes at most")
    expect(info.byteOffset + info.byteCount <= stream.count, "a packet lies in its stream")
    expect(
      bytes.equals(stream.span.extracting(info.byteOffset..<info.byteOffset + info.byteCount)),
      "its bytes are those there")
    if let header = AdtsHeader(bytes) {
      expect(info.format.codec == .aac && header.byteCount == bytes.count, "an ADTS packet agrees with its header")
      expect(header.duration == info.duration && header.profile == info.format.profile, "and in its facts")
    } else if let header = MpegHeader(bytes) {
      expect(info.format.codec == header.codec, "an MPEG packet agrees with its header")
      expect(header.byteCount ?? bytes.count == bytes.count, "and in its length")
      expect((header.byteCount == nil) == info.isFreeFormat, "and in its want of a length")
      expect(header.sampleRate == info.format.sampleRate && header.channels == info.format.channels, "and in its facts")
    } else {
      fatalError("A packet begins with a header.")
    }
  }

  /// Compares the packets of two runs up to the first garbage. Resynchronization depends on the buffered bytes and may
  /// differ.
  func agrees(with other: FramedStream) -> Bool {
    let same = zip(packets, other.packets).prefix { $0 == $1 }.count
    let next = [packets, other.packets].compactMap { same < $0.count ? $0[same] : nil }
    return next.allSatisfy(\.followsGap)
  }
}

extension Span<UInt8> {
  func equals(_ other: Span<UInt8>) -> Bool {
    withUnsafeBytes { one in
      other.withUnsafeBytes { two in
        guard one.count == two.count, let start = one.baseAddress, let place = two.baseAddress else { return false }
        return memcmp(start, place, one.count) == 0
      }
    }
  }
}
