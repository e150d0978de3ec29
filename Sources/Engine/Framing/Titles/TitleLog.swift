import Units

/// The titles of a programme with their stream times, so that each position has its title.
public struct TitleLog: Sendable {
  /// A title with its number, counted from the programme's first title.
  public struct Entry: Sendable {
    /// The number of the title.
    public let number: Int
    /// The title.
    public let title: Title
    /// Stream time of the title's start.
    public let at: StreamTime
    /// The tag's title; nil if the title itself came from the tags.
    public let tagged: String?
  }

  private var titles: [(title: Title, at: StreamTime, tagged: String?)] = []
  /// Number of dropped titles before the first stored one.
  private var forgotten = 0
  /// The number of the audible title, from the programme's first.
  private var audibleNumber: Int?
  private var hasLeapt = false

  /// Number of titles that always stay, against stations that flood titles.
  private static let minTitles = 512
  /// Titles that are dropped at once, because each drop moves all others.
  private static let surplus = 64

  /// Creates a log without titles.
  public init() {}

  /// The audible title; nil without one.
  public var current: Title? {
    guard let audibleNumber, audibleNumber >= forgotten else { return nil }
    return titles[audibleNumber - forgotten].title
  }

  /// Inserts a title by its stream time: external titles may arrive late.
  public mutating func append(_ title: Title, at: StreamTime) {
    if titles.count == Self.minTitles + Self.surplus {
      titles.removeFirst(Self.surplus)
      forgotten += Self.surplus
    }
    let place = count(at: at)
    if let audibleNumber, place < titles.count, place <= audibleNumber - forgotten {
      self.audibleNumber = audibleNumber + 1
    }
    titles.insert((title, at, nil), at: place)
    assert(titles[max(0, place - 1)].at <= at, "titles lie in the order of their moments: they are searched by halves")
  }

  /// Stores the tag's title for a file that is shown under its list's name.
  public mutating func setTag(tagged text: String, at moment: StreamTime) {
    let count = count(at: moment)
    if count > 0 { titles[count - 1].tagged = text }
  }

  /// Returns the stream time of the next title; nil without one.
  public func next(after moment: StreamTime) -> StreamTime? {
    let count = count(at: moment)
    return count < titles.count ? titles[count].at : nil
  }

  /// Returns the title at a stream time; nil before the first title.
  public func entry(at moment: StreamTime) -> Entry? {
    let count = count(at: moment)
    return count > 0 ? entry(number: forgotten + count - 1) : nil
  }

  /// Returns a title by its number; nil if dropped or not received.
  public func entry(number: Int) -> Entry? {
    let index = number - forgotten
    guard titles.indices.contains(index) else { return nil }
    return Entry(number: number, title: titles[index].title, at: titles[index].at, tagged: titles[index].tagged)
  }

  /// Records a seek: titles in between are not reported.
  public mutating func leap() { hasLeapt = true }

  /// Records a seek that makes the audible file the start of the programme: time `base` becomes zero.
  public mutating func leap(by base: StreamTime) {
    titles = titles.map { ($0.title, $0.at - base, $0.tagged) }
    leap()
  }

  /// Removes the titles from a stream time on, because they arrive again.
  public mutating func forget(from moment: StreamTime) {
    titles.removeAll { $0.at >= moment }
    if let audibleNumber, audibleNumber >= forgotten + titles.count { self.audibleNumber = nil }
    leap()
  }

  /// Returns the titles that became audible up to `moment`; after a seek only the current one.
  public mutating func removeAudible(at moment: StreamTime) -> [(title: Title, at: StreamTime)] {
    let count = count(at: moment)
    let number = count > 0 ? forgotten + count - 1 : nil
    defer { (audibleNumber, hasLeapt) = (number, false) }
    guard let number, number != audibleNumber else { return [] }
    let before = audibleNumber ?? forgotten - 1
    let isOneOnly = hasLeapt || number < before
    return titles[(isOneOnly ? count - 1 : max(0, before + 1 - forgotten))..<count].map { ($0.title, $0.at) }
  }

  private func count(at moment: StreamTime) -> Int {
    var (low, high) = (0, titles.count)
    while low < high {
      let middle = (low + high) / 2
      if titles[middle].at <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
