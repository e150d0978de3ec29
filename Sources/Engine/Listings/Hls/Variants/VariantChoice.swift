import Framing

/// The playable entries of a master playlist: best sound first, audio-only if possible.
public struct VariantChoice: Hashable, Sendable {
  /// A playable entry.
  public struct Candidate: Hashable, Sendable {
    /// The kind of entry.
    public enum Form: Hashable, Sendable {
      /// A variant with audio only, according to the list.
      case audio
      /// An audio rendition.
      case rendition
      /// A variant with video, or with a codec that cannot be played.
      case video
    }

    /// The playlist's URL, like `Variant.address`.
    public let address: String
    /// The kind of entry.
    public let form: Form
    /// The bit rate in bits per second; nil if unknown.
    public let bitRate: Int?
    /// The first four codecs, at most 24 characters each, cleaned for display; nil if unknown.
    public let codecs: String?
  }

  /// The entries in the order to try them, without repeated addresses.
  public private(set) var candidates: [Candidate] = []
  /// Addresses as bytes: Swift treats some different addresses as equal text, and compares text slowly.
  private var known: Set<[UInt8]> = []
  /// The reason for missing candidates: the first unsupported codec, otherwise `other`. Nil with candidates, or if the
  /// playlist is empty.
  public private(set) var refusal: RefusedCodec?

  /// Orders the entries:
  /// 1. Audio-only variants: those within the maximum, highest bit rate first; then those above it, lowest first.
  /// 2. Renditions, the default first. Omits groups whose default is part of the variant.
  /// 3. Variants of the form `video`, lowest bit rate first.
  /// 4. Variants with unknown codecs: without video as in 1, then with video as in 3.
  /// 5. The renditions omitted in 2.
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

  /// Returns the renditions with an address in playable groups. `others` are in groups whose default has no address.
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

extension VariantList {
  /// Returns the playable entries, preferring audio within `maxBitRate` bits per second; nil for no maximum.
  public func choice(maxBitRate: Int? = nil) -> VariantChoice { VariantChoice(self, maxBitRate: maxBitRate) }
}
