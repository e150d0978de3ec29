/// The track of a `moov` that is played, and what holds for its fragments (ISO 14496-12, 8.3 to 8.5, 8.8.3).
struct SoundTrack {
  /// What `moov` says.
  enum Outcome {
    case track(SoundTrack)
    case refused(RefusedCodec)
  }

  /// What holds where a fragment of a track says nothing else (`trex`).
  struct Defaults {
    var track: UInt32
    /// Which entry of `stsd`, from 1.
    var description: UInt32
    /// Bytes of each sample.
    var byteCount: UInt32
  }

  /// Its number.
  let id: UInt32
  /// Ticks a second.
  let timescale: UInt32
  /// The entries of `stsd`, one or more.
  let descriptions: [SampleDescription]
  /// Samples outside fragments.
  private let sampleCount: UInt32
  /// Of every track: where one track's samples lie may depend on the size of another's.
  private var defaults: [Defaults] = []

  /// The most tracks whose defaults are kept.
  private static var mostDefaults: Int { 16 }

  /// An entry of `stsd`, counted from 1; the first one where there is none of that number.
  func description(_ number: UInt32) -> SampleDescription {
    let number = Int(clamping: number)
    return descriptions.indices.contains(number - 1) ? descriptions[number - 1] : descriptions.first ?? .refused(.other)
  }

  /// What holds for a track's fragments.
  func defaults(of track: UInt32) -> Defaults {
    for entry in defaults where entry.track == track { return entry }
    return Defaults(track: track, description: 1, byteCount: 0)
  }

  /// The first track of sound that can be played, in the content of a `moov`; else why the first cannot.
  static func read(_ moov: Span<UInt8>) -> Outcome {
    var refusal: RefusedCodec?
    var place = 0
    while let box = moov.nextBox(at: &place, in: moov.indices) {
      guard box.isA(.trak), var track = SoundTrack(moov, in: box.content) else { continue }
      let mvex = moov.box(.mvex, in: moov.indices)
      // A file that is not fragmented: its samples are told of in `moov`, anywhere before it or behind.
      if mvex == nil, track.sampleCount > 0 { return .refused(.other) }
      if let mvex { track.defaults = readDefaults(moov, in: mvex) }
      guard let codec = track.refusal else { return .track(track) }
      refusal = refusal ?? codec
    }
    return .refused(refusal ?? .other)
  }

  /// Why its samples are not played; nil where some are.
  private var refusal: RefusedCodec? {
    for description in descriptions where description.refusal == nil { return nil }
    return descriptions.first.map { $0.refusal ?? .other } ?? .other
  }

  /// A track from the content of a `trak`; nil where it is not sound, or lacks what it needs.
  private init?(_ bytes: Span<UInt8>, in trak: Range<Int>) {
    let mdia = bytes.box(.mdia, in: trak)
    guard let hdlr = bytes.box(.hdlr, in: mdia), bytes.word32(at: hdlr.lowerBound + 8, in: hdlr) == Self.soundHandler,
      let id = Self.field(bytes, bytes.box(.tkhd, in: trak), at: 12, 20),
      let timescale = Self.field(bytes, bytes.box(.mdhd, in: mdia), at: 12, 20)
    else { return nil }
    let stbl = bytes.box(.stbl, in: bytes.box(.minf, in: mdia))
    self.id = id
    self.timescale = timescale
    descriptions = bytes.box(.stsd, in: stbl).map { SampleDescription.readAll(bytes, in: $0) } ?? []
    let sizes = bytes.box(.stsz, in: stbl) ?? bytes.box(.stz2, in: stbl)
    sampleCount = Self.field(bytes, sizes, at: 8, 8) ?? 0
  }

  /// The letters "soun".
  private static var soundHandler: UInt32 { 0x736F_756E }

  /// A field of a box of version 0, or else of version 1, with its place in the content.
  private static func field(_ bytes: Span<UInt8>, _ box: Range<Int>?, at old: Int, _ new: Int) -> UInt32? {
    guard let box, let version = bytes.word32(at: box.lowerBound, in: box).map({ $0 >> 24 }) else { return nil }
    return bytes.word32(at: box.lowerBound + (version == 0 ? old : new), in: box)
  }

  private static func readDefaults(_ bytes: Span<UInt8>, in mvex: Range<Int>) -> [Defaults] {
    var entries: [Defaults] = []
    var place = mvex.lowerBound
    while entries.count < mostDefaults, let box = bytes.nextBox(at: &place, in: mvex) {
      let start = box.content.lowerBound
      guard box.isA(.trex), let track = bytes.word32(at: start + 4, in: box.content),
        let description = bytes.word32(at: start + 8, in: box.content),
        let byteCount = bytes.word32(at: start + 16, in: box.content)
      else { continue }
      entries.append(Defaults(track: track, description: description, byteCount: byteCount))
    }
    return entries
  }
}
