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
    var (group, name, language, address): (String?, String?, String?, String?)
    var (isAudio, isDefault, isAutoselected) = (false, false, false)
    var channels: Int?
    for attribute in attributes {
      switch attribute.name {
      case "TYPE": isAudio = attribute.bytes.count == 5 && attribute.bytes.begins(anyCase: "audio")
      case "GROUP-ID": group = attribute.text
      case "NAME": name = attribute.text.flatMap { ListEntry.title($0[...]) }
      case "LANGUAGE": language = attribute.text
      case "DEFAULT": isDefault = attribute.isYes
      case "AUTOSELECT": isAutoselected = attribute.isYes
      case "URI":
        address = attribute.text
        // A nil address would mean that the variant contains the audio.
        guard let text = address.flatMap(variables.substituted), Reference(text[...]) != nil else { return nil }
        address = Reference(text[...])?.text
      case "CHANNELS": channels = attribute.bytes.smallNumber.flatMap { 1...64 ~= $0 ? Int($0) : nil }
      default: break
      }
    }
    guard isAudio else { return nil }
    (self.group, self.name, self.language) = (group, name, language)
    (self.isDefault, self.isAutoselected) = (isDefault, isAutoselected)
    (self.address, self.channels) = (address, channels)
  }
}
