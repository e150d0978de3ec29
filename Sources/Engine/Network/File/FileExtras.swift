import Framing
import Http
import Units

/// The extra requests for a file: its end, the parts of a joined file, and a count of packets. Net thread only.
final class FileExtras {
  private let context: ProgrammeContext
  private let transfer: FileTransfer
  private var tail = SideRequest<TailReader>.notBegun
  private var counter = SideRequest<ExactSeekScanner>.notBegun
  private var parts = SideRequest<PartReader>.notBegun
  /// True if the server refused the request for the end, as a server of one connection does.
  private var isEndRefused = false
  /// End of the search for parts on which the first window waits; nil without a search.
  private var searchEnd: MonotonicTime?
  /// The target of the last redirect, for later parts. The target's server has this version of the file, but the
  /// address may expire. Nil for the listener's address.
  var target: HttpRequest?

  init(_ context: ProgrammeContext, _ transfer: FileTransfer) { (self.context, self.transfer) = (context, transfer) }

  deinit {
    counter.reset()
    tail.reset()
    parts.reset()
  }

  private var search: StationSearch { context.search }

  private var report: ProgrammeReport { context.report }

  /// Reads the end of the file, then searches for parts.
  func read() {
    readTail()
    searchParts()
  }

  private func readTail() {
    guard !tail.isBegun, transfer.restsOnItsEnd else { return }
    if search.isLocal, transfer.tags.areInChunks { return readLocalChunks() }
    guard let http = sideRequest() else { return }
    let reader = try? TailReader(transfer, http, context.engine, at: context.now) { [weak self] bytes, isRefused in
      guard let self else { return }
      tail = .over
      isEndRefused = isRefused
      report.reportUpdates(transfer.evaluateTail(tail: bytes))
      searchParts()
    }
    if let reader { tail = .underWay(reader) }
  }

  private func readLocalChunks() {
    guard let address = search.address else { return }
    tail = .over
    let bytes = LocalFile.tail(of: address, transfer.tailByteCount, atMost: FileTransfer.maxTailByteCount)
    report.reportUpdates(transfer.evaluateTail(tail: bytes.span))
  }

  /// Searches a file for its parts during playback. A known end saves requests, so the search waits for a request for
  /// the end.
  private func searchParts() {
    guard transfer.isAnnounced, !tail.isUnderWay, !parts.isBegun, let http = sideRequest(),
      var finder = transfer.beginPartSearch()
    else { return }
    // A refusal is final. The parts found before a seek are used.
    if finder.needsEnd, isEndRefused { finder.stop() }
    if let outcome = finder.outcome { return report.reportUpdates(transfer.endPartSearch(outcome)) }
    let reader = try? PartReader(transfer, finder, http, context.engine, at: context.now) { [weak self] outcome in
      guard let self else { return }
      parts = .over
      report.reportUpdates(transfer.endPartSearch(outcome))
    }
    // Without a reader, the next seek continues the search.
    if let reader { parts = .underWay(reader) } else { transfer.interruptPartSearch() }
  }

  /// Searches a local file for its parts, once its first packets are known.
  func searchLocalParts() {
    guard search.isLocal, transfer.isSettled, let address = search.address, let total = transfer.byteCount,
      var finder = transfer.beginPartSearch()
    else { return }
    while let probe = finder.probe {
      let bytes = LocalFile.part(of: address, at: probe.byte, probe.byteCount)
      finder.process(PartSample(bytes.span, at: probe.byte, total: total))
    }
    if let outcome = finder.outcome { report.reportUpdates(transfer.endPartSearch(outcome)) }
  }

  func startCount() {
    guard !counter.isBegun, let stretch = transfer.stretchToCount, let http = sideRequest() else { return }
    let scanner = try? ExactSeekScanner(transfer, stretch, http, context.engine, at: context.now) { [weak self] time in
      guard let self, let notice = transfer.correct(at: time) else { return }
      report.send(notice)
    } onEnd: { [weak self] in
      self?.counter = .over
    }
    if let scanner { counter = .underWay(scanner) }
  }

  private func sideRequest() -> HttpRequest? {
    guard report.facts?.isSeekable == true, search.ranges == .parts, let address = search.address, !address.isFile
    else { return nil }
    var http = search.plainRequest(for: address)
    if let target { http.follow(target) }
    return http
  }

  func interrupt() {
    counter.reset()
    tail.interrupt()
    transfer.interruptPartSearch(at: parts.reader?.finder)
    parts.interrupt()
    searchEnd = nil
  }

  // MARK: Time

  /// Ends requests after their timeouts. Returns true if the first window must be requested now, without the result of
  /// the search for parts.
  func poll() -> Bool {
    let now = context.now
    tail.poll(at: now)
    counter.poll(at: now)
    parts.poll(at: now)
    guard transfer.isProbing else {
      searchEnd = nil
      return false
    }
    guard let end = searchEnd else {
      searchEnd = now + PartReader.maxDuration
      return false
    }
    return now >= end
  }

  var due: MonotonicTime {
    let search = transfer.isProbing ? searchEnd ?? context.now : .never
    return min(tail.due, counter.due, parts.due, search)
  }
}
