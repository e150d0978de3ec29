/// Audio that variants share, independent of their video (EXT-X-MEDIA with TYPE=AUDIO; RFC 8216, 4.3.4.1).
struct AudioRendition: Hashable, Sendable {
  let group: String?
  /// Not yet cleaned for display.
  let name: String?
  /// A language tag (RFC 5646).
  let language: String?
  let isDefault: Bool
  let isAutoselected: Bool
  /// The playlist's URL, in the form of `Variant.address`; nil if the variant contains the audio.
  let address: String?
  /// 1 … 64; nil if absent or out of range.
  let channels: Int?

  init?(_ attributes: AttributeList, _ variables: PlaylistVariables) {
    guard let type = attributes["TYPE"]?.bytes, type.count == 5, type.begins(anyCase: "audio") else { return nil }
    var address: String?
    if let uri = attributes["URI"] {
      address = uri.text.flatMap(variables.substituted).flatMap { Reference($0[...])?.text }
      // A nil address would mean that the variant contains the audio.
      guard address != nil else { return nil }
    }
    self.address = address
    group = attributes["GROUP-ID"]?.text
    name = attributes["NAME"]?.text.flatMap { ListEntry.title($0[...]) }
    language = attributes["LANGUAGE"]?.text
    isDefault = attributes["DEFAULT"]?.isYes == true
    isAutoselected = attributes["AUTOSELECT"]?.isYes == true
    channels = attributes["CHANNELS"]?.bytes.smallNumber.flatMap { 1...64 ~= $0 ? Int($0) : nil }
  }
}
