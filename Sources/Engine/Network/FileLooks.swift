import Units

/// What is looked at in a file beside its download: its end, and the way to a place that was guessed. The net thread's.
struct FileLooks: ~Copyable {
  private let engine: HttpEngine
  private var tail = Look<TailReader>.notBegun
  private var count = Look<ExactSeekScanner>.notBegun

  /// A look, which is done once.
  private enum Look<Reader> {
    case notBegun
    case underWay(Reader)
    case over

    /// What reads; nil where nothing does.
    var reader: Reader? { if case .underWay(let reader) = self { reader } else { nil } }
    var isBegun: Bool { if case .notBegun = self { false } else { true } }
  }

  /// So long the look at a file's end may take, and bytes of a count may fail to come.
  static let longest = Duration(milliseconds: 10_000)

  /// Looks by transfers of `engine`.
  init(_ engine: HttpEngine) { self.engine = engine }

  // MARK: The end

  /// Asks for a file's last bytes, unless that was done; `onEnd` takes them, or none where they did not come.
  mutating func readTail(
    of file: FileTransfer, by request: HttpRequest, at now: MonotonicTime, onEnd: @escaping (Span<UInt8>) -> Void
  ) {
    guard !tail.isBegun, let reader = try? TailReader(file, request, engine, at: now, onEnd: onEnd) else { return }
    tail = .underWay(reader)
  }

  /// The look at the end is over.
  mutating func endTail() { tail = .over }

  /// Calls the look at the end off, to be begun again, unless it is over.
  mutating func interruptTail() {
    guard let reader = tail.reader else { return }
    reader.cancel()
    tail = .notBegun
  }

  /// Another file comes: its end was not looked at.
  mutating func forgetTail() {
    tail.reader?.cancel()
    tail = .notBegun
  }

  // MARK: The way to a place

  /// Whether the way was counted, or is.
  var hasCounted: Bool { count.isBegun }

  /// Counts a file's packets up to a byte; `onArrival` takes the time at which the packet there sounds.
  mutating func count(
    _ file: FileTransfer, _ stretch: (from: ExactSeekIndex.Point, to: Int), by request: HttpRequest,
    at now: MonotonicTime, onArrival: @escaping (StreamTime) -> Void, onEnd: @escaping () -> Void
  ) {
    let scanner = try? ExactSeekScanner(
      file, from: stretch.from, to: stretch.to, request, engine, at: now, onArrival: onArrival, onEnd: onEnd)
    if let scanner { count = .underWay(scanner) }
  }

  /// The count is over, whatever came of it; it is not tried again before the next jump.
  mutating func endCount() { count = .over }

  /// Calls the count off; another one may begin.
  mutating func forgetCount() {
    count.reader?.cancel()
    count = .notBegun
  }

  // MARK: Time

  /// When a look has taken too long.
  var due: MonotonicTime { min(tail.reader?.due ?? .never, count.reader?.due ?? .never) }

  /// Calls off what has taken too long.
  func poll(at now: MonotonicTime) {
    if let reader = tail.reader, now >= reader.due { reader.end() }
    if let reader = count.reader, now >= reader.due { reader.end() }
  }
}
