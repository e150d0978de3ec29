import Framing

/// The search for the parts of a joined file: before the first window, or during playback. A value.
struct PartSearch {
  private enum State {
    case notBegun
    /// Before the first window, which waits for the result.
    case first(PartFinder)
    /// During playback, by a reader of its own.
    case aside
    case over
  }

  private var state = State.notBegun
  /// The last sound of the file, if already read.
  private var lastSound: PartSample?

  var isBegun: Bool { if case .notBegun = state { false } else { true } }

  mutating func record(lastSound sample: PartSample) { lastSound = sample }

  /// The next bytes to read before the first window; nil without a search.
  var firstProbe: PartFinder.Probe? { if case .first(let finder) = state { finder.probe } else { nil } }

  /// Starts the search before the first window if it has not begun. `finder`: nil if no search is needed.
  mutating func beginFirst(_ finder: PartFinder?) { if !isBegun { state = finder.map { .first($0) } ?? .over } }

  /// Starts the search during playback. Returns nil if it has begun before, or is not needed.
  mutating func beginAside(_ finder: PartFinder?) -> PartFinder? {
    guard !isBegun else { return nil }
    state = finder == nil ? .over : .aside
    guard var finder else { return nil }
    if finder.needsEnd, let lastSound, lastSound.hasSound { finder.process(lastSound) }
    return finder
  }

  /// Processes the bytes of the current probe, or ends the search if bytes are missing.
  mutating func process(_ bytes: [UInt8], total: Int) {
    guard case .first(var finder) = state, let probe = finder.probe else { return }
    if bytes.count == probe.byteCount {
      finder.process(PartSample(bytes.span, at: probe.byte, total: total))
    } else {
      finder.stop()
    }
    state = .first(finder)
  }

  /// Ends the search before the first window. Returns its result; nil if it has none.
  mutating func endFirst() -> PartFinder.Outcome? {
    guard case .first(var finder) = state else { return nil }
    finder.stop()
    state = .over
    return finder.outcome
  }

  mutating func end() { state = .over }

  /// Cancels a running search, so that it can be repeated from its start.
  mutating func interrupt() { if case .over = state { return } else { state = .notBegun } }
}
