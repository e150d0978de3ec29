/// The contents of a Vorbis set-up header (Vorbis I, 4.2.4): the block length of each mode, and the decoder's memory
/// needs.
///
/// The modes are at the end and no length precedes them, so that the whole header must be parsed.
public struct VorbisSetup: Equatable, Sendable {
  /// For each mode, true if its blocks are long.
  public let areLong: [Bool]
  /// The decoder's memory needs.
  public let needs: VorbisNeeds

  /// Parses a set-up header; nil if the bytes are another header or damaged.
  ///
  /// - Parameters:
  ///   - header: The whole packet, including packet type and "vorbis".
  ///   - channels: The identification header's channels; 1 … 255.
  public init?(_ header: Span<UInt8>, channels: Int) {
    guard header.count > 7, channels > 0 else { return nil }
    for (place, byte) in ([5] + Array("vorbis".utf8)).enumerated() where header[place] != byte { return nil }
    var walk = VorbisSetupWalk(header)
    guard walk.skipBooks(header), walk.skipTimes(header), walk.skipFloors(header), walk.skipResidues(header),
      walk.skipMappings(header, channels), let modes = walk.modes(header)
    else { return nil }
    (areLong, needs) = (modes, walk.needs)
  }

  /// Number of bits of the mode number in a packet.
  public var numberWidth: Int { VorbisSetupWalk.width(areLong.count - 1) }
}
