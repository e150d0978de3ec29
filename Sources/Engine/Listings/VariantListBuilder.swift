/// Makes a master playlist of its tags and addresses, while they come.
struct VariantListBuilder {
  private(set) var list = VariantList()
  /// Whether a tag came that stands in master playlists alone.
  private(set) var hasTags = false
  private var next: Variant.Description?

  /// Takes a tag. `isCut`: more of its line came than is kept, so what it says is not known.
  mutating func take(_ tag: HlsTag, _ value: ArraySlice<UInt8>, isCut: Bool, _ variables: PlaylistVariables) {
    hasTags = true
    switch tag {
    case .variant:
      let isTaken = !isCut && list.variants.count < VariantList.limit
      next = isTaken ? Variant.Description(AttributeList(value)) : nil
    case .rendition where !isCut && list.renditions.count < VariantList.limit:
      if let rendition = AudioRendition(AttributeList(value), variables) { list.renditions.append(rendition) }
    default: break
    }
  }

  /// Takes the address of the variant that was described, if one was.
  mutating func takeAddress(_ line: ArraySlice<UInt8>, _ variables: PlaylistVariables) {
    guard let next, let address = variables.substituted(line.decoded).flatMap({ Reference($0[...])?.text }) else {
      return
    }
    list.variants.append(next.variant(at: address))
  }

  /// What was described had its address, or was none of a variant.
  mutating func endVariant() { next = nil }
}
