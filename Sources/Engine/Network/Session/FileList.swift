import Http
import Units

/// An opened list: files, episodes, or the addresses of one station.
public struct FileList: Equatable, Sendable {
  /// The list's address, without secrets.
  public var url: String
  /// The list's own title; nil if absent.
  public var title: String?
  /// True for a podcast: its episodes are files, and playback waits for a choice.
  public var isFeed: Bool
  /// The entries in playing order; at least one.
  public var items: [Item]
  /// The declared encoding if unknown, so that the text was read as windows-1252; nil otherwise.
  public var unknownEncoding: String?
  /// The origin of the addresses, which limits their use; nil if unknown.
  public var referral: AddressOrigin?

  /// An entry of a list.
  public struct Item: Equatable, Sendable {
    /// The absolute address.
    public let url: StationAddress
    /// The address for display, without secrets. Computed once, because a display often reads all items.
    public let shownURL: String
    /// The title in the list, cleaned for display; nil if absent.
    public var title: String?
    /// Identifier, stable as long as the list contains the item.
    public var identifier: String
    /// Publication time in seconds since 1970.
    public var date: Int64?
    /// Duration in seconds, according to the list.
    public var seconds: Int?

    /// Creates an item. Default `identifier`: the address.
    public init(
      url: StationAddress, title: String? = nil, identifier: String? = nil, date: Int64? = nil, seconds: Int? = nil
    ) {
      self.url = url
      let shown = url.description
      shownURL = shown == url.unredacted ? url.unredacted : shown
      self.title = title
      self.identifier = identifier ?? url.unredacted
      self.date = date
      self.seconds = seconds
    }
  }

  /// Creates a list.
  public init(url: String, title: String? = nil, isFeed: Bool, items: [Item], referral: AddressOrigin? = nil) {
    self.url = url
    self.title = title
    self.isFeed = isFeed
    self.items = items
    self.referral = referral
  }
}

extension FileList.Item: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without secrets.
  public var description: String { shownURL }

  /// Equal to `description`.
  public var debugDescription: String { description }

  /// Empty, since the identifier may be the whole address.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
