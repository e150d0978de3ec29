import Blocks
import CReference
import Decoding
import Foundation
import Framing

/// A framed packet with bytes that a test may damage.
public struct Packet: Sendable {
  /// The framer's report about the packet.
  public var info: PacketInfo
  /// The whole packet with its header.
  public var bytes: [UInt8]

  /// Creates a packet without a framer.
  public init(info: PacketInfo, bytes: [UInt8]) { (self.info, self.bytes) = (info, bytes) }
}

/// One or several concatenated files, split into packets.
public struct Programme {
  /// The bytes of all files.
  public private(set) var bytes: [UInt8]
  /// The packets in order.
  public private(set) var packets: [Packet] = []
  /// Number of bytes outside packets and tags.
  public private(set) var skipped = 0
  /// Number of bytes in tags.
  public private(set) var tagged = 0

  /// Splits `bytes` into packets. The framer receives pieces of `step` bytes.
  public init(_ bytes: [UInt8], step: Int = .max) {
    self.bytes = bytes
    var framer = PacketFramer()
    var place = 0
    while place < bytes.count {
      let piece = bytes[place..<(step < bytes.count - place ? place + step : bytes.count)]
      place += framer.append(piece.span)
      while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) == .packet {}
    }
    framer.finish()
    while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) == .packet {}
    skipped = framer.skippedByteCount
    tagged = framer.taggedByteCount
  }

  /// Splits the concatenation of these fixtures into packets.
  public init(_ names: String...) throws {
    self.init(try names.flatMap { try [UInt8](Data(contentsOf: Self.folder.appendingPathComponent($0))) })
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")
}

extension Span<UInt8> {
  /// A copy of the elements.
  public var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

/// A programme decoded by the C libraries alone, without Bakelite.
public struct Reference {
  /// The decoded frames with their byte offsets in the programme.
  public private(set) var frames: [(offset: Int, heard: DecodedPacket)] = []

  /// Decodes all frames of `programme` from its first packet.
  public init(_ programme: Programme, _ depth: SampleDepth) {
    let decode = programme.packets.first?.info.format.codec == .aac ? reference_faad : reference_mad
    let most = programme.packets.count + 100
    let capacity = most * 2048
    var records = [reference_frame](repeating: reference_frame(), count: most)
    var pcm = [Int32](repeating: 0, count: 2 * capacity)
    // The libraries cannot skip tags.
    let start = programme.packets.first?.info.byteOffset ?? 0
    let bytes = Array(programme.bytes[start...])
    let made = decode(bytes, bytes.count, depth == .bits24 ? 24 : 16, &pcm, capacity, &records, most)
    frames = records.prefix(made).map { record in
      let heard = DecodedPacket(
        error: record.error == 0 ? nil : .discardPacket, rate: .init(checking: Int(record.rate)),
        samples: Array(pcm[2 * record.start..<2 * (record.start + record.count)]))
      return (start + record.offset, heard)
    }
  }
}
