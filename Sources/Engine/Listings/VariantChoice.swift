import Framing

/// What of a master playlist is to be played: what has the best sound, and no picture if that can be.
public struct VariantChoice: Hashable, Sendable {
  /// Something that can be played.
  public struct Candidate: Hashable, Sendable {
    /// What stands at the address.
    public enum Form: Hashable, Sendable {
      /// A variant that is sound alone, as far as the list says.
      case audio
      /// A rendition of sound.
      case rendition
      /// A variant whose sound comes beside a picture.
      case video
    }

    /// Where its playlist is, as `Variant.address`.
    public let address: String
    /// What stands there.
    public let form: Form
    /// Its bits a second; nil where untold.
    public let bitRate: Int?
    /// Its codecs as the list writes them, fit for a display; nil where untold.
    public let codecs: String?
  }

  /// What can be played: the first is played, the others follow in the order in which they are tried if it fails. No
  /// address stands there twice.
  public private(set) var candidates: [Candidate] = []
  /// The bytes of their addresses: texts are the same for Swift that are different addresses, and take long to compare.
  private var known: Set<[UInt8]> = []
  /// Why there are no candidates: the first codec that is refused, else `other`; nil where there are some, and where
  /// the list names nothing at all.
  public private(set) var refusal: RefusedCodec?

  /// 1. Variants that are sound alone, the highest bit rate within the maximum first, then those above it from the
  ///    lowest on.
  /// 2. Renditions, the default first, unless what is to be played by default comes with the picture.
  /// 3. Variants with sound beside a picture, the lowest bit rate first.
  /// 4. Variants whose codecs nobody knows, as 1; what else renditions there are.
  ///
  /// What is equal stays in the list's order.
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

  /// The renditions with an address whose group's sound may be played: those of groups whose default is one of them,
  /// and the others. Where there are no variants, all groups may be.
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
