/// The header of a `traf` (`tfhd`, ISO 14496-12, 8.8.7).
struct TrackFragment {
  enum Base {
    case position(Int64)
    /// The first byte of the `moof`.
    case fragment
    /// The end of the previous `traf`'s data; for the first `traf`, the first byte of the `moof`.
    case dataBefore
  }

  let track: UInt32
  let base: Base
  /// Number of an `stsd` entry, from 1.
  let description: UInt32
  /// Default sample size in bytes.
  let byteCount: UInt32

  private enum Flag {
    static let base: UInt32 = 0x1
    static let description: UInt32 = 0x2
    static let duration: UInt32 = 0x8
    static let byteCount: UInt32 = 0x10
    static let baseIsFragment: UInt32 = 0x2_0000
  }

  init?(_ bytes: Span<UInt8>, in traf: Range<Int>, movie: AudioTrack) {
    guard let tfhd = bytes.box(.tfhd, in: traf), let flags = bytes.word32(at: tfhd.lowerBound, in: tfhd),
      let track = bytes.word32(at: tfhd.lowerBound + 4, in: tfhd)
    else { return nil }
    self.track = track
    var place = tfhd.lowerBound + 8
    var base = flags & Flag.baseIsFragment != 0 ? Base.fragment : .dataBefore
    if flags & Flag.base != 0 {
      guard let position = bytes.word64(at: place, in: tfhd).flatMap({ Int64(exactly: $0) }) else { return nil }
      base = .position(position)
      place += 8
    }
    self.base = base
    var defaults = movie.defaults(of: track)
    if flags & Flag.description != 0 {
      guard let value = bytes.word32(at: place, in: tfhd) else { return nil }
      defaults.description = value
      place += 4
    }
    if flags & Flag.duration != 0 { place += 4 }
    if flags & Flag.byteCount != 0 {
      guard let value = bytes.word32(at: place, in: tfhd) else { return nil }
      defaults.byteCount = value
    }
    description = defaults.description
    byteCount = defaults.byteCount
  }
}
