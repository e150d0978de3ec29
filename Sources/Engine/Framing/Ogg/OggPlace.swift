/// The state of an Ogg stream after its last page, from which the next page continues without a loss.
public struct OggPlace {
  let link: OggLink
  /// Values for the next packet.
  let (followsGap, beginsFile): (Bool, Bool)

  init(_ link: OggLink, followsGap: Bool, beginsFile: Bool) {
    (self.link, self.followsGap, self.beginsFile) = (link, followsGap, beginsFile)
  }
}
