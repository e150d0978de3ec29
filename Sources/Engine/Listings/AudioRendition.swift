/// Sound that variants share, apart from their picture (EXT-X-MEDIA with TYPE=AUDIO; RFC 8216, 4.3.4.1).
struct AudioRendition: Hashable, Sendable {
  /// The group that variants name; nil where untold.
  let group: String?
  /// What it is called; nil where untold. Not yet fit for a display.
  let name: String?
  /// Its language as RFC 5646 has it; nil where untold.
  let language: String?
  /// Whether it is to be played where nobody chooses.
  let isDefault: Bool
  /// Whether it may be played where nobody chooses it.
  let isAutoselected: Bool
  /// Where its playlist is, as `Variant.address`; nil: it comes with the variant.
  let address: String?
  /// How many channels it has, 1 …; nil where untold.
  let channels: Int?

  /// What a tag says; nil where it is of something else than sound.
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
        // One that cannot be requested comes with no variant either.
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
