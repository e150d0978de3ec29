import Blocks
import CReference
import Decoding
import Foundation
import Framing
import Units

/// A packet of a fixture, whose bytes a test may spoil.
struct Packet {
  var info: PacketInfo
  var bytes: [UInt8]
}

/// A file, or several one after the other, as packets.
struct Programme {
  var bytes: [UInt8]
  var packets: [Packet]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    packets = []
    var framer = PacketFramer()
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...]
      place += framer.append(rest.span)
      while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) {}
    }
    framer.finish()
    while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) {}
  }

  /// The fixtures of these names, one after the other.
  init(_ names: String...) throws {
    self.init(try names.flatMap { try [UInt8](Data(contentsOf: Self.folder.appendingPathComponent($0))) })
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")
}

/// What became of a packet.
struct Heard: Equatable {
  var error: DecodeError?
  var rate: SampleRate?
  /// Two of 24 bits for each frame.
  var samples: [Int32] = []
}

extension PacketDecoder {
  /// Decodes a packet as the radio does: in a buffer with room, copied out in pieces that fit into a period.
  mutating func hear(_ packet: Packet) -> Heard {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: packet.bytes.count + Self.guardByteCount)
    defer { buffer.deallocate() }
    buffer.initialize(from: packet.bytes, count: packet.bytes.count)
    // What a longer packet before it left there.
    (buffer + packet.bytes.count).initialize(repeating: 0xA5, count: Self.guardByteCount)
    do throws(DecodeError) {
      let pcm = try decode(buffer, packet.info)
      guard pcm.frameCount > 0 else { return Heard() }
      return Heard(rate: pcm.rate, samples: samples(of: pcm))
    } catch {
      return Heard(error: error)
    }
  }

  private mutating func samples(of pcm: DecodedPcm) -> [Int32] {
    [Int32](unsafeUninitializedCapacity: pcm.frameCount * 2) { buffer, count in
      guard let out = buffer.baseAddress else { return }
      let step = pcm.frameCount > Period.frameCapacity ? 1024 : pcm.frameCount
      for offset in stride(from: 0, to: pcm.frameCount, by: step) {
        copy(pcm, from: offset, count: min(step, pcm.frameCount - offset), to: out + 2 * offset)
      }
      count = pcm.frameCount * 2
    }
  }
}

/// Decodes packets in a row.
func hear(_ packets: some Sequence<Packet>, _ depth: SampleDepth = .bits24) -> [Heard] {
  var decoder = PacketDecoder(depth)
  return packets.map { decoder.hear($0) }
}

extension Span<UInt8> {
  var array: [UInt8] { indices.map { self[$0] } }
}

extension Heard {
  /// The loudest sample.
  var peak: Int32 { reference_peak(samples, samples.count) }

  /// The mean square of its samples.
  var power: Double { reference_power(samples, samples.count) }
}

extension Collection<Heard> {
  var peak: Int32 { reduce(0) { Swift.max($0, $1.peak) } }
}

extension PacketDecoder {
  /// Decodes a packet for its format only.
  mutating func facts(_ packet: Packet) -> DecodedPcm? {
    let room = packet.bytes + [UInt8](repeating: 0, count: Self.guardByteCount)
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: room.count)
    defer { buffer.deallocate() }
    buffer.initialize(from: room, count: room.count)
    return try? decode(buffer, packet.info)
  }
}
