/// What a set-up header of Vorbis defines (Vorbis I, 4.2.4): which of a block's two lengths each mode has, and what a
/// decoder needs.
///
/// The modes stand at the header's end, and nothing before them tells its length: all of it is read.
public struct VorbisSetup: Equatable, Sendable {
  /// Of each mode, whether its blocks are long.
  public let areLong: [Bool]
  /// What its decoder needs.
  public let needs: VorbisNeeds

  /// Reads a set-up header, its packet type and "vorbis" included; nil where it is none, or damaged.
  ///
  /// - Parameters:
  ///   - header: The whole packet.
  ///   - channels: The channels that the identification header tells; 1 … 255.
  public init?(_ header: Span<UInt8>, channels: Int) {
    guard header.count > 7, channels > 0 else { return nil }
    for (place, byte) in ([5] + Array("vorbis".utf8)).enumerated() where header[place] != byte { return nil }
    var walk = VorbisSetupWalk(header)
    guard walk.skipBooks(header), walk.skipTimes(header), walk.skipFloors(header), walk.skipResidues(header),
      walk.skipMappings(header, channels), let modes = walk.modes(header)
    else { return nil }
    (areLong, needs) = (modes, walk.needs)
  }

  /// How many bits tell a packet's mode.
  public var numberWidth: Int { VorbisSetupWalk.width(areLong.count - 1) }
}
