import Framing

/// The search for the parts of a joined file: before the first window, or during playback. A value.
struct PartSearch {
  private enum State {
    case notBegun
    /// Before the first window, which waits for the result.
    case first(PartFinder)
    /// During playback, by a reader with its own copy.
    case aside(PartFinder)
    /// Interrupted, until playback continues.
    case paused(PartFinder)
    case over
  }

  private var state = State.notBegun
  /// The last sound of the file, if already read.
  private var lastSound: PartSample?
  private var allowsFirst = true
  /// True if the bytes of a probe were missing.
  private var lacksBytes = false
  /// True if the search before the first window ended with its own result, false during that search or if it was cut
  /// off; nil without such a search.
  private(set) var isFirstWhole: Bool?

  var isBegun: Bool { if case .notBegun = state { false } else { true } }

  mutating func record(lastSound sample: PartSample) { lastSound = sample }

  /// The next bytes to read before the first window; nil without a search.
  var firstProbe: PartFinder.Probe? { if case .first(let finder) = state { finder.probe } else { nil } }

  /// Starts the search before the first window if it has not begun. `finder`: nil if no search is needed.
  mutating func beginFirst(_ finder: PartFinder?) {
    guard allowsFirst, !isBegun else { return }
    state = finder.map { .first($0) } ?? .over
    if finder != nil { isFirstWhole = false }
  }

  /// Defers the search until playback.
  mutating func skipFirst() { allowsFirst = false }

  /// Starts the search during playback, or continues an interrupted search. `newFinder`: nil if no search is needed.
  /// Returns nil without a search, or if it runs already.
  mutating func beginAside(_ newFinder: @autoclosure () -> PartFinder?) -> PartFinder? {
    let found: PartFinder?
    switch state {
    case .notBegun: found = newFinder()
    case .paused(let finder): found = finder
    case .first, .aside, .over: return nil
    }
    guard var finder = found else {
      state = .over
      return nil
    }
    if finder.needsEnd, let lastSound, lastSound.hasSound { finder.process(lastSound) }
    state = .aside(finder)
    return finder
  }

  /// Processes the bytes of the current probe, or ends the search if bytes are missing.
  mutating func process(_ bytes: [UInt8], total: Int) {
    guard case .first(var finder) = state, let probe = finder.probe else { return }
    if bytes.count == probe.byteCount {
      finder.process(PartSample(bytes.span, at: probe.byte, total: total))
    } else {
      lacksBytes = true
      finder.stop()
    }
    state = .first(finder)
  }

  /// Ends the search before the first window. Returns its result; nil if it has none.
  mutating func endFirst() -> PartFinder.Outcome? {
    guard case .first(var finder) = state else { return nil }
    isFirstWhole = finder.outcome != nil && !lacksBytes
    finder.stop()
    state = .over
    return finder.outcome
  }

  mutating func end() { state = .over }

  /// Interrupts a running search, which can continue later. `reached`: the state of a search during playback; nil if
  /// no request runs. Interrupted requests count for the limits, since a listener may seek often.
  mutating func interrupt(at reached: PartFinder?) {
    switch state {
    case .first(var finder):
      finder.interrupt()
      state = .paused(finder)
    case .aside(let begun):
      var finder = reached ?? begun
      if reached != nil { finder.interrupt() }
      state = .paused(finder)
    case .notBegun, .paused, .over: break
    }
  }
}
