struct VariantListBuilder {
  private(set) var list = VariantList()
  /// True after a tag that only master playlists have.
  private(set) var hasTags = false
  /// The attributes of the variant whose address follows.
  private var next: AttributeList?

  /// Processes a tag; ignores the contents of a truncated tag (`isCut`).
  mutating func process(_ tag: HlsTag, _ value: ArraySlice<UInt8>, isCut: Bool, _ variables: PlaylistVariables) {
    hasTags = true
    switch tag {
    case .variant:
      let isTaken = !isCut && list.variants.count < VariantList.limit
      next = isTaken ? AttributeList(value) : nil
    case .rendition where !isCut && list.renditions.count < VariantList.limit:
      if let rendition = AudioRendition(AttributeList(value), variables) { list.renditions.append(rendition) }
    default: break
    }
  }

  mutating func processAddress(_ line: ArraySlice<UInt8>, _ variables: PlaylistVariables) {
    guard let next, let address = variables.substituted(line.decoded).flatMap({ Reference($0[...])?.text }) else {
      return
    }
    list.variants.append(Variant(next, at: address))
  }

  mutating func endVariant() { next = nil }
}
