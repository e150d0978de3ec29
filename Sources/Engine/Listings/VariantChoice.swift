import Framing

/// The entries of a master playlist to play: best sound first, audio-only if possible.
public struct VariantChoice: Hashable, Sendable {
  /// An entry to play.
  public struct Candidate: Hashable, Sendable {
    /// The kind of entry.
    public enum Form: Hashable, Sendable {
      /// An audio-only variant, according to the list.
      case audio
      /// An audio rendition.
      case rendition
      /// A variant with video.
      case video
    }

    /// The playlist's URL, like `Variant.address`.
    public let address: String
    /// The kind of entry.
    public let form: Form
    /// The bit rate in bits per second; nil if unknown.
    public let bitRate: Int?
    /// The codecs as written, cleaned for display; nil if unknown.
    public let codecs: String?
  }

  /// The entries in the order to try them, without repeated addresses.
  public private(set) var candidates: [Candidate] = []
  /// The addresses as bytes, because Swift treats some different addresses as equal text, and compares slowly.
  private var known: Set<[UInt8]> = []
  /// The reason for an empty list of candidates: the first unsupported codec, otherwise `other`. Nil if there are
  /// candidates, or if the list is empty.
  public private(set) var refusal: RefusedCodec?

  /// Orders the entries:
  /// 1. Audio-only variants: highest bit rate within the maximum first, then those above it from the lowest.
  /// 2. Renditions, the default first, unless the default is part of the video.
  /// 3. Variants with video, lowest bit rate first.
  /// 4. Variants with unknown codecs, ordered as 1 without video and as 3 with video; then other renditions.
  ///
  /// Equal entries keep the list's order.
  init(_ list: VariantList, maxBitRate: Int?) {
    let rated = list.variants.map { (variant: $0, sound: VariantSound($0)) }
    let alone = rated.filter { $0.sound == .alone }.map(\.variant)
    let beside = rated.filter { $0.sound == .besidePicture }.map(\.variant)
    let unknown = rated.filter { $0.sound == .unknown }.map(\.variant)
    let renditions = Self.renditions(list, rated)
    add(Self.best(alone, maxBitRate), .audio)
    add(renditions.first)
    add(beside.sorted { $0.bitRate < $1.bitRate }, .video)
    add(Self.best(unknown.filter { !$0.hasPicture }, maxBitRate), .audio)
    add(unknown.filter(\.hasPicture).sorted { $0.bitRate < $1.bitRate }, .video)
    add(renditions.others)
    guard candidates.isEmpty, !(rated.isEmpty && list.renditions.isEmpty) else { return }
    refusal = rated.lazy.compactMap(\.sound.refusal).first ?? .other
  }

  private mutating func add(_ variants: [Variant], _ form: Candidate.Form) {
    for variant in variants {
      let codecs = DisplayText.clean(variant.codecs.prefix(4).map { String($0.prefix(24)) }.joined(separator: ", "))
      add(
        Candidate(
          address: variant.address, form: form, bitRate: variant.bitRate > 0 ? variant.bitRate : nil,
          codecs: codecs.isEmpty ? nil : codecs))
    }
  }

  private mutating func add(_ renditions: [AudioRendition]) {
    for rendition in renditions {
      guard let address = rendition.address else { continue }
      add(Candidate(address: address, form: .rendition, bitRate: nil, codecs: nil))
    }
  }

  private mutating func add(_ candidate: Candidate) {
    if known.insert(Array(candidate.address.utf8)).inserted { candidates.append(candidate) }
  }

  private static func best(_ variants: [Variant], _ maxBitRate: Int?) -> [Variant] {
    let within = variants.filter { $0.bitRate <= maxBitRate ?? .max }.sorted { $0.bitRate > $1.bitRate }
    return within + variants.filter { $0.bitRate > maxBitRate ?? .max }.sorted { $0.bitRate < $1.bitRate }
  }

  /// Returns the renditions of playable groups with an address. Groups whose default has no address are in `others`.
  /// Without variants, all groups are playable.
  private static func renditions(
    _ list: VariantList, _ rated: [(variant: Variant, sound: VariantSound)]
  ) -> (first: [AudioRendition], others: [AudioRendition]) {
    var played: Set<String?> = []
    for (variant, sound) in rated where variant.audioGroup != nil && sound.refusal == nil {
      played.insert(variant.audioGroup)
    }
    let found = list.renditions.filter { $0.address != nil && (rated.isEmpty || played.contains($0.group)) }
    let muxed = Set(list.renditions.filter { $0.isDefault && $0.address == nil }.map(\.group))
    let ranked = found.filter(\.isDefault) + found.filter { !$0.isDefault && $0.isAutoselected }
    let all = ranked + found.filter { !$0.isDefault && !$0.isAutoselected }
    return (all.filter { !muxed.contains($0.group) }, all.filter { muxed.contains($0.group) })
  }
}
