/// Where an episode was left (E5).
public struct Bookmark: Equatable, Sendable {
  /// What it is known by, as a number: its feed's words for it may be long.
  public let key: UInt64
  /// Seconds from its beginning; 0 where it was heard to its end.
  public var seconds: Int
  /// Whether it was heard to its end.
  public var isHeard: Bool

  /// A place in the episode that a feed knows by `identifier`.
  public init(_ identifier: String, seconds: Int, isHeard: Bool = false) {
    self.init(key: Self.key(identifier), seconds: seconds, isHeard: isHeard)
  }

  init(key: UInt64, seconds: Int, isHeard: Bool) {
    self.key = key
    self.seconds = isHeard ? 0 : max(0, min(Self.longest, seconds))
    self.isHeard = isHeard
  }

  /// FNV-1a of 64 bits.
  public static func key(_ identifier: String) -> UInt64 {
    identifier.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static let longest = 1_000_000
}

/// Where the episodes were left that were heard last, the last one first.
public struct Bookmarks: Equatable, Sendable {
  /// As many are kept.
  public static let most = 100

  /// All of them, the last one first.
  public private(set) var list: [Bookmark] = []

  /// None.
  public init() {}

  /// The place in an episode; nil where it was never heard, or long ago.
  public subscript(identifier: String) -> Bookmark? {
    let key = Bookmark.key(identifier)
    return list.first { $0.key == key }
  }

  /// How recently an episode was heard among those kept: 0 for the last one; nil where it is not among them.
  public func rank(of identifier: String) -> Int? {
    let key = Bookmark.key(identifier)
    return list.firstIndex { $0.key == key }
  }

  /// Notes a place; the oldest is forgotten where there are too many.
  public mutating func note(_ bookmark: Bookmark) {
    list.removeAll { $0.key == bookmark.key }
    list.insert(bookmark, at: 0)
    list = Array(list.prefix(Self.most))
  }

  /// One that was read from a file, older than all before it.
  mutating func append(_ bookmark: Bookmark) { if list.count < Self.most { list.append(bookmark) } }

  /// Whether it differs from another by no more than the time that goes by: a minute of one episode.
  func isSame(as other: Bookmarks) -> Bool {
    list.count == other.list.count
      && zip(list, other.list).allSatisfy {
        $0.key == $1.key && $0.isHeard == $1.isHeard && abs($0.seconds - $1.seconds) < 60
      }
  }
}
