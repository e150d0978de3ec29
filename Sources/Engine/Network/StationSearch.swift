import Framing
import Listings
import Units

/// What is asked for, the addresses that it may be had from, and whether what failed is tried again. The net thread's.
///
/// Each moment is given by the caller.
final class StationSearch {
  /// What is asked for.
  private(set) var request = StationRequest(url: "")
  /// Whether parts of what the address names can be asked for.
  private(set) var ranges = Ranges.parts
  /// Nil where the listener's address is none.
  private var candidates: Candidates?
  private var tries = Tries(at: .zero, seed: 0)
  /// The variants of an HLS station, and their addresses.
  private var variants: [(address: StationAddress, variant: SegmentFacts.Variant)] = []

  // MARK: What there is

  /// The address that is tried; nil where there is none.
  var address: WebAddress? { candidates?.current.address }

  /// The same, and what a list says of it.
  var candidate: Candidates.Candidate? { candidates?.current }

  /// Whether the address is a file of this machine.
  var isLocal: Bool { address?.isFile == true }

  /// Whether the address is what the listener named.
  var isRoot: Bool { candidates?.isRoot == true }

  /// Whether the programme has played.
  var hasPlayed: Bool { tries.hasPlayed }

  /// Whether it may be tried once more.
  var mayTry: Bool { tries.allowsMore(request.retry) }

  /// What can go wrong with what is being asked for.
  var faults: AddressFaults {
    AddressFaults(address?.url ?? request.url, host: address?.host, hasCredentials: request.credentials != nil)
  }

  /// A request for the address, with all that may go there.
  func plainRequest(for address: WebAddress) -> HttpRequest {
    request.http(for: address, namedBy: candidates?.current.referral)
  }

  /// What holds for the addresses that an answer names.
  func referral(by reception: Reception, isFeed: Bool) -> Referral? {
    candidates?.current.referralOfAnswer(home: reception.transfer?.home, from: reception.source, isFeed: isFeed)
  }

  /// Whether an answer is taken for a station's.
  func isLive(_ head: HttpHead) -> Bool { request.isLive(head, isLocal: isLocal) }

  // MARK: Programmes

  /// Begins a programme. Throws where its address is none.
  func begin(_ request: StationRequest, at now: MonotonicTime, seed: UInt64) throws(NetworkError) {
    let budget = candidates?.budget
    (self.request, candidates, ranges, variants) = (request, nil, .parts, [])
    tries = Tries(at: now, seed: seed)
    let address = try WebAddress(request.url, allowsFile: true)
    candidates = Candidates(address, request.referral, budget: budget)
  }

  /// Asks for the file that follows in the same programme.
  func follow(_ request: StationRequest, at address: WebAddress) {
    self.request = request
    candidates = Candidates(address, request.referral, budget: candidates?.budget)
    (ranges, variants) = (.parts, [])
  }

  /// Changes what is asked for.
  func adjust(_ change: RequestChange) { change.apply(to: &request) }

  /// What was held is forgotten, as at another place of a file.
  func restart(seed: UInt64) { tries.restart(seed: seed) }

  /// What is asked for is asked for in parts, or as a whole.
  func ask(by ranges: Ranges) { self.ranges = ranges }

  // MARK: Tries

  /// A connection begins.
  func connect(at now: MonotonicTime) { tries.connect(at: now) }

  /// The server refused, and wants to be left alone for so many seconds.
  func refused(forSeconds seconds: Int, at now: MonotonicTime) { tries.refused(forSeconds: seconds, at: now) }

  /// The connection that leads is served: what a server asked of others beside it is over.
  func serve() { tries.serve() }

  /// The programme plays.
  func play() { tries.play() }

  /// It plays, and what was lost is had from this address again.
  func playHere() {
    tries.play()
    candidates?.markPlayed()
  }

  /// Audio proved the connection good.
  func succeed() {
    tries.succeed()
    candidates?.budget = ListBudget()
  }

  /// The network is not what it was: the eager tries begin anew.
  func hurry() { tries.hurry() }

  /// What rested goes on: when it is tried.
  func resume(at now: MonotonicTime) -> MonotonicTime { tries.resume(at: now) }

  /// The first moment at which there may be a try.
  func soonest(after now: MonotonicTime) -> MonotonicTime { tries.soonest(after: now) }

  /// The next try, counted: its moment, and which one it is.
  func next(after now: MonotonicTime) -> (until: MonotonicTime, attempt: Int) {
    let until = tries.next(after: now)
    return (until, tries.attempt)
  }

  /// What follows on a failure of what was not heard yet.
  enum Next: Equatable {
    /// The next entry of a list is tried at that moment.
    case entry(at: MonotonicTime)
    /// All begins anew.
    case round
    /// It is given up.
    case none
  }

  /// An address of what was not heard yet failed, which may pass by itself or not.
  func fail(mayPass: Bool, at now: MonotonicTime) -> Next {
    tries.fail(mayPass: mayPass)
    if tries.allowsEntry(within: request.patience, at: now), candidates?.next() == true {
      return .entry(at: tries.nextEntry(isLocal: isLocal, at: now))
    }
    return tries.allowsRound(within: request.patience, at: now) && candidates?.restart() == true ? .round : .none
  }

  /// What has played was lost; how often that happened since audio proved a connection good.
  func lose() -> Int { tries.lose() }

  /// A station is tried at another address after some losses.
  func goOn(after losses: Int) { candidates?.goOn(after: losses) }
}

// MARK: - Lists

extension StationSearch {
  /// What is wrong where a list that was asked for at `began` is one too many, or takes too long: nothing more of lists
  /// is tried then.
  func excess(ofListFrom began: MonotonicTime, at now: MonotonicTime) -> PlaybackFault? {
    candidates?.budget.begin(at: began)
    return excess(at: now)
  }

  /// The same of the lists so far.
  private func excess(at now: MonotonicTime) -> PlaybackFault? {
    guard let candidates, candidates.budget.isSpent(at: now) else { return nil }
    // A list that was tried before came too slowly then.
    let isFirst = candidates.budget.count == 1
    let isMany = candidates.hasOpenedList || candidates.budget.count > ListBudget.mostLists
    let fault =
      isMany ? faults.error(.onlyLists, of: request.url) : isFirst ? faults.endless : faults.tooSlow
    self.candidates?.abandonLists()
    return fault
  }

  /// What is wrong where an episode is a feed; nil where none was asked for. A feed that names a feed could go on for
  /// ever.
  var feedInFeed: PlaybackFault? { request.referral?.isFeed == true ? faults.feedInFeed : nil }

  /// The list that is being read is whole, or given up.
  func endList(at now: MonotonicTime) { candidates?.budget.end(at: now) }

  /// The connection was closed while a list was read: it does not count.
  func forgetList() { candidates?.budget.forget() }

  /// What a list that came whole names, or what is wrong with it; the text of a feed is with the connection.
  func read(
    _ kind: PlaylistKind, _ text: [UInt8], of reception: Reception, at base: WebAddress, now: MonotonicTime
  ) throws(PlaybackFault) -> ListContents {
    guard kind == .feed else {
      if let fault = excess(ofListFrom: reception.began, at: now) { throw fault }
      endList(at: now)
      return ListContents(text, kind, at: base)
    }
    candidates?.budget.countFeed()
    if let fault = feedInFeed ?? excess(at: now) { throw fault }
    return ListContents(reception.intake?.takeFeed(), at: base)
  }

  /// Puts a list's entries in its place; false where none can be tried.
  func open(_ list: ListContents, _ referral: Referral?) -> Bool {
    candidates?.open(list.entries, referral) == true
  }

  /// Puts what can be played of a list of variants in its place; false where nothing can be tried.
  func open(_ choice: VariantChoice, at base: WebAddress, _ referral: Referral?) -> Bool {
    variants = choice.candidates.prefix(SegmentFacts.mostVariants).compactMap { candidate in
      guard let address = try? base.resolve(candidate.address) else { return nil }
      return (address.url, SegmentFacts.Variant(bitRate: candidate.bitRate, codecs: candidate.codecs))
    }
    return open(ListContents(choice, at: base), referral)
  }

  /// What is told of a list of segments that came whole.
  func facts(of list: SegmentList) -> SegmentFacts {
    SegmentFacts(
      targetDuration: list.targetDuration, window: list.length, variants: variants.map(\.variant),
      chosen: variants.firstIndex { $0.address == address?.url })
  }

  /// What is wrong with a list of HLS that came whole; nil where nothing is.
  func readSegments(of reception: Reception, at now: MonotonicTime) -> PlaybackFault? {
    if let fault = excess(ofListFrom: reception.began, at: now) { return fault }
    endList(at: now)
    return nil
  }
}
