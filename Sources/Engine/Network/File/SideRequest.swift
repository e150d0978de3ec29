import Units

/// The reader of an extra request for a file. Net thread only.
protocol SideReader: AnyObject {
  /// The timeout.
  var due: MonotonicTime { get }

  /// Cancels the request; its end is still reported.
  func end()

  /// Cancels the request without a report.
  func cancel()
}

extension SideReader {
  /// Maximum duration of the request for the end, and maximum silence during a count.
  static var maxDuration: Duration { Duration(milliseconds: 10_000) }
}

/// An extra request for a file, in parallel to its download. A value. Net thread only.
enum SideRequest<Reader: SideReader> {
  case notBegun
  case underWay(Reader)
  /// Finished: no further request is needed.
  case over

  var reader: Reader? { if case .underWay(let reader) = self { reader } else { nil } }

  var isBegun: Bool { if case .notBegun = self { false } else { true } }

  var isUnderWay: Bool { reader != nil }

  var due: MonotonicTime { reader?.due ?? .never }

  /// Ends a request after its timeout.
  func poll(at now: MonotonicTime) {
    if let reader, now >= reader.due { reader.end() }
  }

  /// Cancels a running request, so that it can be repeated.
  mutating func interrupt() { if reader != nil { reset() } }

  /// Cancels a running request, and allows another request even after a finished request.
  mutating func reset() {
    reader?.cancel()
    self = .notBegun
  }
}
