import Units

/// The maximum silence of a request of an HLS station. A value.
struct SegmentPatience {
  /// Maximum time in which a list has no segments, before the first audio.
  static let empty = Duration(seconds: 8)
  /// Minimum buffered audio of a line that is not too slow.
  static let ease = StreamTime(seconds: 1)

  private let most: Duration
  /// Buffered audio, if another address may replace a silent one before its end; nil otherwise.
  private let ahead: StreamTime?

  private static let usual = Duration(milliseconds: 4_000)
  /// Maximum silence with little buffered audio.
  private static let least = Duration(milliseconds: 1_500)
  /// Audio that must stay buffered for the change to another address.
  private static let reserve = StreamTime(seconds: 2.5)

  init(_ search: StationSearch, _ output: ProgrammeOutput) {
    most = min(Self.usual, search.request.dataTimeout)
    ahead = search.hasPlayed && search.hasAlternatives && !output.isRefilling ? output.ahead : nil
  }

  /// `silence`: the silence so far. The result is constant while a listener hears the buffered audio.
  func maxSilence(after silence: Duration) -> Duration {
    guard let ahead else { return most }
    return min(most, max(Self.least, silence + Duration(seconds: (ahead - Self.reserve).seconds)))
  }
}

extension SegmentSource {
  /// Returns the maximum silence of `fetch`.
  func patience(with fetch: SegmentFetch?) -> Duration {
    SegmentPatience(search, output).maxSilence(after: fetch.map { now - $0.lastData } ?? .zero)
  }
}
