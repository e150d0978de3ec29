import Blocks
import Foundation
import Framing

/// A packet, whose bytes a test may spoil.
public struct Packet {
  /// What the framer says of it.
  public var info: PacketInfo
  /// All of it, header included.
  public var bytes: [UInt8]
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
