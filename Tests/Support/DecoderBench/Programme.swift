import Blocks
import CReference
import Decoding
import Foundation
import Framing

/// A packet, whose bytes a test may spoil.
public struct Packet: Sendable {
  /// What the framer says of it.
  public var info: PacketInfo
  /// All of it, header included.
  public var bytes: [UInt8]

  /// A packet that no framer handed out.
  public init(info: PacketInfo, bytes: [UInt8]) { (self.info, self.bytes) = (info, bytes) }
}

/// A file, or several one after the other, as packets.
public struct Programme {
  /// The file.
  public private(set) var bytes: [UInt8]
  /// What the framer handed out.
  public private(set) var packets: [Packet] = []
  /// Bytes that belonged to no packet and to no tag.
  public private(set) var skipped = 0
  /// Bytes of tags.
  public private(set) var tagged = 0

  /// Frames `bytes`, which come in pieces of `step`.
  public init(_ bytes: [UInt8], step: Int = .max) {
    self.bytes = bytes
    var framer = PacketFramer()
    var place = 0
    while place < bytes.count {
      let piece = bytes[place..<(step < bytes.count - place ? place + step : bytes.count)]
      place += framer.append(piece.span)
      while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) {}
    }
    framer.finish()
    while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) {}
    skipped = framer.skippedByteCount
    tagged = framer.taggedByteCount
  }

  /// The fixtures of these names, one after the other.
  public init(_ names: String...) throws {
    self.init(try names.flatMap { try [UInt8](Data(contentsOf: Self.folder.appendingPathComponent($0))) })
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")
}

extension Span<UInt8> {
  /// A copy.
  public var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

/// A programme as the C libraries decode it without Bakelite.
public struct Reference {
  /// What became of the frame at each byte offset.
  public private(set) var frames: [(offset: Int, heard: Heard)] = []

  /// Decodes the whole of `programme`, from its first packet on.
  public init(_ programme: Programme, _ depth: SampleDepth) {
    let decode = programme.packets.first?.info.format.codec == .aac ? reference_faad : reference_mad
    let most = programme.packets.count + 100
    let capacity = most * 2048
    var records = [reference_frame](repeating: reference_frame(), count: most)
    var pcm = [Int32](repeating: 0, count: 2 * capacity)
    // Of tags the libraries know nothing.
    let start = programme.packets.first?.info.byteOffset ?? 0
    let bytes = Array(programme.bytes[start...])
    let made = decode(bytes, bytes.count, depth == .bits24 ? 24 : 16, &pcm, capacity, &records, most)
    frames = records.prefix(made).map { record in
      let heard = Heard(
        error: record.error == 0 ? nil : .discardPacket, rate: .init(checking: Int(record.rate)),
        samples: Array(pcm[2 * record.start..<2 * (record.start + record.count)]))
      return (start + record.offset, heard)
    }
  }
}
