import CReference
import Decoding

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
