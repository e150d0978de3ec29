/// The audio track to play in a `moov`, with the defaults of its fragments (ISO 14496-12, 8.3 to 8.5, 8.8.3).
struct AudioTrack {
  enum Outcome {
    case track(AudioTrack)
    case refused(RefusedCodec)
  }

  /// Default values for the fragments of a track (`trex`).
  struct Defaults {
    var track: UInt32
    /// Number of an `stsd` entry, from 1.
    var description: UInt32
    var byteCount: UInt32
  }

  let id: UInt32
  /// Ticks per second.
  let timescale: UInt32
  let descriptions: [SampleDescription]
  private let sampleCount: UInt32
  /// Defaults of all tracks: sample positions may depend on the sizes in other tracks.
  private var defaults: [Defaults] = []

  private static var maxDefaults: Int { 16 }

  /// Returns the `stsd` entry with that number, from 1; the first entry if the number is invalid.
  func description(_ number: UInt32) -> SampleDescription {
    let number = Int(clamping: number)
    return descriptions.indices.contains(number - 1) ? descriptions[number - 1] : descriptions.first ?? .refused(.other)
  }

  func defaults(of track: UInt32) -> Defaults {
    for entry in defaults where entry.track == track { return entry }
    return Defaults(track: track, description: 1, byteCount: 0)
  }

  /// Returns the first playable audio track of a `moov`, else the reason for the first audio track.
  static func read(_ moov: Span<UInt8>) -> Outcome {
    var refusal: RefusedCodec?
    var place = 0
    while let box = moov.nextBox(at: &place, in: moov.indices) {
      guard box.isA(.trak), var track = AudioTrack(moov, in: box.content) else { continue }
      let mvex = moov.box(.mvex, in: moov.indices)
      // Not fragmented: the `moov` describes samples anywhere in the file.
      if mvex == nil, track.sampleCount > 0 { return .refused(.other) }
      if let mvex { track.defaults = readDefaults(moov, in: mvex) }
      guard let codec = track.refusal else { return .track(track) }
      refusal = refusal ?? codec
    }
    return .refused(refusal ?? .other)
  }

  private var refusal: RefusedCodec? {
    for description in descriptions where description.refusal == nil { return nil }
    return descriptions.first.map { $0.refusal ?? .other } ?? .other
  }

  private init?(_ bytes: Span<UInt8>, in trak: Range<Int>) {
    let mdia = bytes.box(.mdia, in: trak)
    guard let hdlr = bytes.box(.hdlr, in: mdia), bytes.word32(at: hdlr.lowerBound + 8, in: hdlr) == Self.audioHandler,
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

  /// "soun" in ASCII.
  private static var audioHandler: UInt32 { 0x736F_756E }

  /// Reads a field at offset `old` of a version 0 box, or at offset `new` of a later version.
  private static func field(_ bytes: Span<UInt8>, _ box: Range<Int>?, at old: Int, _ new: Int) -> UInt32? {
    guard let box, let version = bytes.word32(at: box.lowerBound, in: box).map({ $0 >> 24 }) else { return nil }
    return bytes.word32(at: box.lowerBound + (version == 0 ? old : new), in: box)
  }

  private static func readDefaults(_ bytes: Span<UInt8>, in mvex: Range<Int>) -> [Defaults] {
    var entries: [Defaults] = []
    var place = mvex.lowerBound
    while entries.count < maxDefaults, let box = bytes.nextBox(at: &place, in: mvex) {
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
