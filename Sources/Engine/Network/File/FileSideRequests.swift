import Http
import Units

/// Extra requests for a file, in parallel to its download: for its end, and to count packets. Net thread only.
struct FileSideRequests: ~Copyable {
  private let engine: HttpEngine
  private var tail = SideRequest<TailReader>.notBegun
  private var counter = SideRequest<ExactSeekScanner>.notBegun

  private enum SideRequest<Reader> {
    case notBegun
    case underWay(Reader)
    case over

    var reader: Reader? { if case .underWay(let reader) = self { reader } else { nil } }
    var isBegun: Bool { if case .notBegun = self { false } else { true } }
  }

  /// Maximum duration of the request for the end, and maximum silence during a count.
  static let maxDuration = Duration(milliseconds: 10_000)

  init(_ engine: HttpEngine) { self.engine = engine }

  // MARK: The end

  /// Requests the last bytes of a file, once. `onEnd`: called with these bytes, or with an empty span on failure.
  mutating func readTail(
    of file: FileTransfer, by request: HttpRequest, at now: MonotonicTime, onEnd: @escaping (Span<UInt8>) -> Void
  ) {
    guard !tail.isBegun, let reader = try? TailReader(file, request, engine, at: now, onEnd: onEnd) else { return }
    tail = .underWay(reader)
  }

  mutating func endTail() { tail = .over }

  mutating func interruptTail() {
    guard let reader = tail.reader else { return }
    reader.cancel()
    tail = .notBegun
  }

  /// Allows a new request for the end, even after a finished one.
  mutating func resetTail() {
    tail.reader?.cancel()
    tail = .notBegun
  }

  // MARK: Counting

  var hasCounted: Bool { counter.isBegun }

  mutating func startCount(
    _ file: FileTransfer, _ stretch: (from: ExactSeekIndex.Point, to: Int), by request: HttpRequest,
    at now: MonotonicTime, onArrival: @escaping (StreamTime) -> Void, onEnd: @escaping () -> Void
  ) {
    let scanner = try? ExactSeekScanner(
      file, from: stretch.from, to: stretch.to, request, engine, at: now, onArrival: onArrival, onEnd: onEnd)
    if let scanner { counter = .underWay(scanner) }
  }

  /// Ends the count. The next count starts only after a seek.
  mutating func endCount() { counter = .over }

  mutating func resetCount() {
    counter.reader?.cancel()
    counter = .notBegun
  }

  // MARK: Timeouts

  var due: MonotonicTime { min(tail.reader?.due ?? .never, counter.reader?.due ?? .never) }

  func poll(at now: MonotonicTime) {
    if let reader = tail.reader, now >= reader.due { reader.end() }
    if let reader = counter.reader, now >= reader.due { reader.end() }
  }
}
