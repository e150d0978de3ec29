import Units

/// The announced ads of a programme with their stream times, so that each position is inside or outside an ad.
public struct AdLog: Sendable {
  /// A change at the audible position.
  public enum Change: Equatable, Sendable {
    /// An ad becomes audible.
    case began(AdBreak)
    /// The audible ad is over after this time.
    case ended(AdBreak, after: StreamTime)
  }

  private struct Entry: Equatable {
    var ad: AdBreak
    var start: StreamTime
    /// Announced or marked end; nil if unknown.
    var end: StreamTime?

    /// The end, or the latest possible end.
    var limit: StreamTime { end ?? start + AdLog.maxLength }
  }

  /// The newest ads in the order of their start.
  private var entries: [Entry] = []
  private var audible: Entry?

  /// Length of an ad without an announced length and without an end.
  static let maxLength = StreamTime(seconds: 600)
  /// Pause between two ads of a break.
  private static let maxPause = StreamTime(seconds: 1)
  private static let maxCount = 64

  /// Creates a log without ads.
  public init() {}

  /// The audible ad; nil outside ads.
  public var current: AdBreak? { audible?.ad }

  /// Adds a mark at a stream time. An ad that follows another one continues its break.
  public mutating func add(_ mark: AdMark, at moment: StreamTime) {
    guard case .begin(let ad) = mark else { return end(at: moment) { _ in true } }
    let end = ad.length.map { moment + $0 }
    if let last = entries.last, last.start <= moment, moment <= last.limit + Self.maxPause {
      // A mark without a length extends no announced one.
      if end != nil || moment >= last.limit { entries[entries.count - 1].end = end }
      return
    }
    guard entries.last.map({ $0.start <= moment }) != false else { return }
    if entries.count == Self.maxCount { entries.removeFirst() }
    entries.append(Entry(ad: ad, start: moment, end: end))
  }

  /// Adds a title of the programme, which ends an ad.
  public mutating func addTitle(at moment: StreamTime) { end(at: moment, where: \.endsWithTitle) }

  private mutating func end(at moment: StreamTime, where isEnded: (AdBreak) -> Bool) {
    guard let last = entries.last, isEnded(last.ad), last.start <= moment, moment < last.limit else { return }
    entries[entries.count - 1].end = moment
  }

  /// Removes the ads from a stream time on, because they arrive again.
  public mutating func forget(from moment: StreamTime) { entries.removeAll { $0.start >= moment } }

  /// Returns the next stream time at which an ad begins or ends; nil without one.
  public func next(after moment: StreamTime) -> StreamTime? {
    entries.lazy.flatMap { [$0.start, $0.limit] }.filter { $0 > moment }.min()
  }

  /// Returns the changes at the audible position since the last call.
  public mutating func removeChanges(at moment: StreamTime) -> [Change] {
    let entry = entries.last { $0.start <= moment && moment < $0.limit }
    defer { audible = entry }
    guard entry?.start != audible?.start else { return [] }
    let ended = audible.map { before in
      let length = entries.last { $0.start == before.start }.map { $0.limit - $0.start } ?? before.limit - before.start
      return Change.ended(before.ad, after: max(.zero, min(moment - before.start, length)))
    }
    return [ended, entry.map { .began($0.ad) }].compactMap { $0 }
  }
}
