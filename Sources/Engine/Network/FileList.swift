import Units

/// A list that was opened: files, episodes, or the addresses of one station.
public struct FileList: Equatable, Sendable {
  /// Where it was found, without secrets.
  public var url: String
  /// What it calls itself; nil where it does not.
  public var title: String?
  /// Whether it is a podcast's: its episodes are files, and nothing is tuned to until one is chosen.
  public var isFeed: Bool
  /// In the order in which they are played; at least one.
  public var items: [Item]
  /// What holds for their addresses, which the listener did not give; nil where that is not known.
  public var referral: Referral?

  /// What a list names.
  public struct Item: Equatable, Sendable {
    /// Its address, absolute.
    public let url: StationAddress
    /// The same as it may be shown, found out once: a display asks for all items often.
    public let shownURL: String
    /// What the list calls it, fit for a display; nil where it does not.
    public var title: String?
    /// What it is known by, for as long as the list names it.
    public var identifier: String
    /// When it came out, in seconds since 1970.
    public var date: Int64?
    /// How long it sounds, in seconds, as the list says.
    public var seconds: Int?

    /// An item that is known by its address.
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

  /// A list.
  public init(url: String, title: String? = nil, isFeed: Bool, items: [Item], referral: Referral? = nil) {
    self.url = url
    self.title = title
    self.isFeed = isFeed
    self.items = items
    self.referral = referral
  }
}

extension FileList.Item: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address without its secrets.
  public var description: String { shownURL }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// No parts: what an item is known by may be its whole address.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
