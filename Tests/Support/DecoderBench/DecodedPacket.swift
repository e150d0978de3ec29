import Blocks
import CReference
import Decoding
import Units

/// The result of decoding one packet.
public struct DecodedPacket: Equatable {
  /// The error; nil if the packet was decoded.
  public var error: DecodeError?
  /// Frames per second; nil if the packet has no PCM.
  public var rate: SampleRate?
  /// Interleaved stereo samples of 24 bits.
  public var samples: [Int32] = []

  /// Maximum absolute sample value.
  public var peak: Int32 { reference_peak(samples, samples.count) }

  /// Mean square of the samples.
  public var power: Double { reference_power(samples, samples.count) }
}

extension Collection<DecodedPacket> {
  /// Maximum absolute sample value of all packets.
  public var peak: Int32 { reduce(0) { Swift.max($0, $1.peak) } }
}

/// Decodes consecutive packets with one decoder.
public func decodePackets(
  _ packets: some Sequence<Packet>, _ depth: SampleDepth = .bits24, mp3: Mp3Decoder = .mad
) -> [DecodedPacket] {
  var decoder = PacketDecoder(depth, mp3: mp3)
  return packets.map { decoder.decodePacket($0) }
}

extension PacketDecoder {
  /// Decodes a packet as the radio does: from a padded buffer, and copied out in parts that fit into a period. The
  /// decoder receives the packet in pieces of `step` bytes.
  public mutating func decodePacket(_ packet: Packet, step: Int = .max) -> DecodedPacket {
    let size = min(step, packet.bytes.count)
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size + Self.guardByteCount)
    defer { buffer.deallocate() }
    buffer.initialize(from: packet.bytes, count: size)
    // Stale bytes in the guard area, as a longer packet would leave them.
    (buffer + size).initialize(repeating: 0xA5, count: Self.guardByteCount)
    var place = size
    do throws(DecodeError) {
      let pcm = try decode(buffer, packet.info, firstCount: size) { room in
        let piece = packet.bytes[place..<min(place + size, packet.bytes.count)]
        for (index, byte) in piece.enumerated() { room[index] = byte }
        place = piece.endIndex
        return piece.count
      }
      guard pcm.frameCount > 0 else { return DecodedPacket() }
      return DecodedPacket(rate: pcm.rate, samples: samples(of: pcm))
    } catch {
      return DecodedPacket(error: error)
    }
  }

  private mutating func samples(of pcm: DecodedPcm) -> [Int32] {
    [Int32](unsafeUninitializedCapacity: pcm.frameCount * 2) { buffer, count in
      guard let out = buffer.baseAddress else { return }
      let step = pcm.frameCount > Period.maxPart ? 1024 : pcm.frameCount
      for offset in stride(from: 0, to: pcm.frameCount, by: step) {
        copy(pcm, from: offset, count: min(step, pcm.frameCount - offset), to: out + 2 * offset)
      }
      count = pcm.frameCount * 2
    }
  }

  /// Decodes a packet and returns only its format; nil on an error.
  public mutating func decodeFormat(_ packet: Packet) -> DecodedPcm? {
    let room = packet.bytes + [UInt8](repeating: 0, count: Self.guardByteCount)
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: room.count)
    defer { buffer.deallocate() }
    buffer.initialize(from: room, count: room.count)
    return try? decode(buffer, packet.info)
  }
}
