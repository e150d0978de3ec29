/// The position at which an episode was left (E5).
public struct Bookmark: Equatable, Sendable {
  /// A hash of the identifier that the feed has for the episode. The identifier itself may be long.
  public let key: UInt64
  /// Seconds from the beginning; 0 if the episode was played to its end.
  public var seconds: Int
  /// True if the episode was played to its end.
  public var isHeard: Bool

  /// Creates a bookmark for an episode. `identifier`: the feed's identifier of the episode.
  public init(_ identifier: String, seconds: Int, isHeard: Bool = false) {
    self.init(key: Self.key(identifier), seconds: seconds, isHeard: isHeard)
  }

  init(key: UInt64, seconds: Int, isHeard: Bool) {
    self.key = key
    self.seconds = isHeard ? 0 : max(0, min(Self.maxSeconds, seconds))
    self.isHeard = isHeard
  }

  /// FNV-1a, 64 bits.
  public static func key(_ identifier: String) -> UInt64 {
    identifier.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static let maxSeconds = 1_000_000
}

/// The bookmarks of the episodes played last, newest first.
public struct Bookmarks: Equatable, Sendable {
  /// Maximum number of bookmarks.
  public static let maxCount = 100

  /// All bookmarks, newest first.
  public private(set) var list: [Bookmark] = []

  /// Creates an empty list.
  public init() {}

  /// The bookmark of an episode; nil if the episode is not among the last `maxCount` episodes.
  public subscript(identifier: String) -> Bookmark? {
    let key = Bookmark.key(identifier)
    return list.first { $0.key == key }
  }

  /// Returns the rank of an episode: 0 for the episode played last; nil without a bookmark.
  public func rank(of identifier: String) -> Int? {
    let key = Bookmark.key(identifier)
    return list.firstIndex { $0.key == key }
  }

  /// Stores a bookmark as the newest, and drops the oldest above the maximum.
  public mutating func insert(_ bookmark: Bookmark) {
    list.removeAll { $0.key == bookmark.key }
    list.insert(bookmark, at: 0)
    list = Array(list.prefix(Self.maxCount))
  }

  mutating func append(_ bookmark: Bookmark) { if list.count < Self.maxCount { list.append(bookmark) } }

  /// True if the lists have the same episodes and each position differs by less than a minute. Playback alone then
  /// causes no write.
  func isSame(as other: Bookmarks) -> Bool {
    list.count == other.list.count
      && zip(list, other.list).allSatisfy {
        $0.key == $1.key && $0.isHeard == $1.isHeard && abs($0.seconds - $1.seconds) < 60
      }
  }
}
