import Framing
import Http
import Listings
import Units

/// The current request, the addresses to try, and the retries. Net thread only; the caller passes the time.
final class StationSearch {
  private(set) var request = StationRequest(url: "")
  private(set) var ranges = RangeSupport.parts
  /// Nil if the listener's address is invalid.
  private var candidates: Candidates?
  /// The usable alternatives of the request, by the number of their candidates less one.
  private var alternatives: [AlternativeAddress] = []
  var retries = RetrySchedule(at: .zero, seed: 0)
  /// Refusals of audio before the first audio.
  private var refusalCount = 0
  private var session = ListSession()
  /// Observations about connections to one address, the last that was current at an observation.
  private var sole = SoleConnection()
  private var soleAddress: StationAddress?
  /// Addresses with a proven rule.
  private let soleStations: SoleStations
  /// Maximum number of variants to try. A station that refuses these variants is reported.
  private static let maxTriedVariants = 8
  /// True after a search for the parts of a file was cut off, or its window refused: the requests may have exceeded a
  /// limit of the server.
  private var isPartSearchCutOff = false
  private var variants: [(address: WebAddress, variant: SegmentFacts.Variant)] = []
  /// The known bit rates of the programme's sources.
  var rates = SourceRates()

  /// Number of the programme, for its cookies and its received bytes.
  let programme: Int

  init(_ soleStations: SoleStations = SoleStations(), programme: Int = 0) {
    (self.soleStations, self.programme) = (soleStations, programme)
  }

  // MARK: State

  var address: WebAddress? { candidates?.current.address }

  var candidate: Candidates.Candidate? { candidates?.current }

  var isLocal: Bool { address?.isFile == true }

  var isRoot: Bool { candidates?.isRoot == true }

  /// True at an alternative, or at an entry of its list.
  var isAlternative: Bool { (candidate?.root ?? 0) > 0 }

  var hasPlayed: Bool { retries.hasPlayed }

  var mayTry: Bool { retries.allowsMore(request.retry) }

  var faults: AddressFaults { faults(of: candidate) }

  /// The faults of a connection to a candidate; nil for the current address.
  func faults(of candidate: Candidates.Candidate?) -> AddressFaults {
    guard let place = candidate ?? self.candidate else {
      return AddressFaults(request.url, host: nil, hasCredentials: request.credentials != nil)
    }
    let credentials = place.root == 0 ? request.credentials : alternatives[place.root - 1].credentials
    return AddressFaults(place.address.url, host: place.address.host, hasCredentials: credentials != nil)
  }

  func plainRequest(for address: WebAddress) -> HttpRequest {
    plainRequest(for: address, namedBy: candidate?.referral, of: candidate)
  }

  func plainRequest(for address: WebAddress, namedBy referral: AddressOrigin?) -> HttpRequest {
    plainRequest(for: address, namedBy: referral, of: candidate)
  }

  func plainRequest(to candidate: Candidates.Candidate) -> HttpRequest {
    plainRequest(for: candidate.address, namedBy: candidate.referral, of: candidate)
  }

  private func plainRequest(
    for address: WebAddress, namedBy referral: AddressOrigin?, of candidate: Candidates.Candidate?
  ) -> HttpRequest {
    let root = candidate?.root ?? 0
    var http = request.http(for: address, namedBy: referral, of: root == 0 ? nil : alternatives[root - 1])
    http.programme = programme
    guard let current = candidate?.address, let options = current.options else { return http }
    http.userAgent = options.userAgent ?? http.userAgent
    // The address itself has the options; other addresses must be trusted with secrets.
    guard address == current || referral?.allowsSecrets(address) != false else { return http }
    let names = http.headers.map { $0.prefix { $0 != ":" }.lowercased() }
    http.headers += options.headers.filter { header in !names.contains(header.prefix { $0 != ":" }.lowercased()) }
    return http
  }

  /// The encoding of the station's titles; nil if unknown.
  var titleEncoding: String? { request.metadataEncoding ?? address?.options?.encoding }

  func referral(by connection: StationConnection, isFeed: Bool) -> AddressOrigin? {
    candidates?.current.responseReferral(home: connection.transfer?.home, from: connection.source, isFeed: isFeed)
  }

  func isLive(_ head: HttpHead) -> Bool { request.isLive(head, isLocal: isLocal) }

  // MARK: Programmes

  func begin(_ request: StationRequest, at now: MonotonicTime, seed: UInt64) throws(NetworkError) {
    let budget = candidates?.budget
    self.request = request
    (candidates, alternatives) = (nil, [])
    ranges = .parts
    (variants, isPartSearchCutOff) = ([], false)
    (refusalCount, session, soleAddress) = (0, ListSession(), nil)
    rates = SourceRates()
    retries = RetrySchedule(at: now, seed: seed)
    let address = try WebAddress(written: request.url, allowsFile: true)
    candidates = Candidates(address, request.referral, findAlternatives(beside: address), budget: budget)
  }

  /// Stores the usable alternatives, and returns their addresses. `first`: the listener's own address, left out like
  /// repeated addresses.
  private func findAlternatives(beside first: WebAddress) -> [WebAddress] {
    var known: Set<StationAddress> = [first.url]
    var addresses: [WebAddress] = []
    for alternative in request.alternatives where addresses.count < AlternativeAddress.maxCount {
      guard let address = try? WebAddress(written: alternative.url, allowsFile: true),
        known.insert(address.url).inserted
      else { continue }
      addresses.append(address)
      alternatives.append(alternative)
    }
    return addresses
  }

  func follow(_ request: StationRequest, at address: WebAddress) {
    self.request = request
    alternatives = []
    candidates = Candidates(address, request.referral, budget: candidates?.budget)
    (ranges, variants, isPartSearchCutOff) = (.parts, [], false)
  }

  func adjust(_ change: RequestChange) { request.apply(change) }

  func ask(by ranges: RangeSupport) { self.ranges = ranges }

  /// `isWhole`: true if a search for parts before the first window ended with its own result.
  func recordPartSearch(isWhole: Bool) { isPartSearchCutOff = !isWhole }

  /// True if a search for parts may precede the first window.
  var allowsPartSearch: Bool { !isPartSearchCutOff }

  // MARK: Spare connections

  /// True while a source with a lower bit rate plays, because the line is too slow for the better one.
  var playsLowerRate = false

  /// True if the programme has other addresses.
  var hasAlternatives: Bool { candidates?.hasAlternatives == true }

  /// True if a station that refuses requests should be left, because another address may deliver before the buffered
  /// audio ends.
  func prefersAlternative(with ahead: StreamTime) -> Bool { hasPlayed && hasAlternatives && ahead < Self.reserve }

  private static let reserve = StreamTime(seconds: 5)

  /// Returns the number and the address of the next spare: the first spare goes to the current address, the others to
  /// the next ones in turn. Returns nil if no address allows a spare. `number`: number of spares since the lead fell
  /// silent. `isTried`: true for an address with an open spare; only the current address may get another.
  func nextSpare(
    _ number: Int, isTried: (Candidates.Candidate) -> Bool
  ) -> (number: Int, candidate: Candidates.Candidate)? {
    guard let addresses = candidates?.addresses else { return nil }
    for place in number..<number + addresses.count {
      let candidate = addresses[place % addresses.count]
      if isCurrent(candidate) ? allowsSecond(to: candidate.address.url) : !isTried(candidate) {
        return (place, candidate)
      }
    }
    return nil
  }

  /// Returns the address of a second connection in parallel to the current one: the alternatives in turn, else the same
  /// address. `number`: number of failed tries. Returns nil if no address allows a second connection.
  func secondSource(_ number: Int) -> Candidates.Candidate? {
    guard let addresses = candidates?.addresses, let current = addresses.first else { return nil }
    let others = addresses.dropFirst()
    guard !others.isEmpty else { return allowsSecond(to: current.address.url) ? current : nil }
    let usable = others.filter { !isSameServer($0) || allowsSecond(to: current.address.url) }
      .filter { !soleStations.contains($0.address.url) }
    return usable.isEmpty ? nil : usable[number % usable.count]
  }

  // MARK: Bit rates

  /// True if the programme has other sources, which may have a lower bit rate.
  var hasOtherRates: Bool { hasAlternatives || variants.count > 1 }

  /// The other sources of the programme: the variants of the current HLS station, then the other addresses.
  var otherSources: [Candidates.Candidate] {
    guard let candidates else { return [] }
    var others = Array(candidates.addresses.dropFirst())
    guard let candidate, isVariant(candidate) else { return others }
    others.insert(
      contentsOf: variants.filter { $0.address.url != address?.url }
        .map { variant in
          var other = candidate
          other.address = variant.address.withOptions(from: candidate.address)
          return other
        }, at: 0)
    return others
  }

  /// True for a variant of the current HLS station.
  func isVariant(_ candidate: Candidates.Candidate) -> Bool {
    candidates?.isListed == true && variants.contains { $0.address.url == candidate.address.url }
  }

  /// True if a connection to the address may be opened while the current connection is open.
  func allowsParallel(_ candidate: Candidates.Candidate) -> Bool {
    guard let current = address?.url else { return false }
    return !soleStations.contains(candidate.address.url) && (!isSameServer(candidate) || allowsSecond(to: current))
  }

  /// True if a connection to the address shows whether the server of the current address allows two.
  func isSameServer(_ candidate: Candidates.Candidate) -> Bool {
    candidate.address.host == address?.host && candidate.address.port == address?.port
  }

  /// True if a connection to the address is a second one to the address of the lead.
  func isCurrent(_ candidate: Candidates.Candidate) -> Bool { candidate.address.url == address?.url }

  /// Makes the address of a connection the current one, since the connection became the lead.
  func select(_ candidate: Candidates.Candidate) { candidates?.select(candidate) }

  /// False for an address that allows one connection for each listener, and after a refusal until the lead ends.
  private func allowsSecond(to url: StationAddress) -> Bool {
    !soleStations.contains(url) && !(soleAddress == url && sole.isRefused)
  }

  /// Records an observation about connections to the current address. A proven rule is remembered for later programmes.
  func observe(_ event: (inout SoleConnection) -> Void) {
    guard let url = address?.url else { return }
    if soleAddress != url { (soleAddress, sole) = (url, SoleConnection()) }
    event(&sole)
    if sole.isProven { soleStations.insert(url) }
  }

  // MARK: Tries

  /// Records that the programme plays, and the current address for retries after a loss.
  func recordPlayingAddress() {
    retries.recordPlaying()
    candidates?.markPlayed()
  }

  /// Resets the retries and the budget for lists, after a connection proven good.
  func succeed() {
    retries.succeed()
    candidates?.budget = ListBudget()
  }

  /// Delays the next try after a connection that delivered headers or lists, but no audio.
  func recordCost(of connection: StationConnection) {
    guard let intake = connection.intake, intake.delivered == .zero, !connection.bringsList else { return }
    retries.recordCost(max(intake.byteCount, intake.textByteCount), since: connection.began)
  }

  enum NextStep: Equatable {
    case entry(at: MonotonicTime)
    case round
    case none
  }

  /// Maximum time of a search while the listener has paused the programme.
  static let pausedPatience = Duration(seconds: 3_600)

  /// `isPaused`: true if the listener has paused the programme.
  func fail(mayPass: Bool, isPaused: Bool = false, at now: MonotonicTime) -> NextStep {
    retries.recordFailure(mayPass: mayPass)
    let patience = isPaused ? max(Self.pausedPatience, request.patience) : request.patience
    if retries.allowsEntry(within: patience, at: now), candidates?.next() == true {
      return .entry(at: retries.nextEntry(isLocal: isLocal, at: now))
    }
    return retries.allowsRound(within: patience, at: now) && candidates?.restart() == true ? .round : .none
  }

  func selectNext(after losses: Int) {
    if session.consumeEnd(), candidates?.renew() == true { return }
    candidates?.selectNext(after: losses)
  }

  /// Ends the session of a station whose master list issues addresses that expire. The next try then starts at the
  /// listener's own address. Returns false if no master list exists, or after another recent end.
  func endSession(at now: MonotonicTime) -> Bool {
    hasPlayed && candidates?.isListed == true && !variants.isEmpty && session.end(at: now)
  }

  /// Counts a refusal of audio, and returns the number before the first audio; 0 if the programme has played.
  func countRefusal() -> Int {
    guard !hasPlayed else { return 0 }
    refusalCount += 1
    return refusalCount
  }
}

// MARK: - Lists

extension StationSearch {
  /// Counts a list requested at `began`. Returns a fault, and drops all further lists, if the budget is exceeded.
  func budgetFault(ofListFrom began: MonotonicTime, at now: MonotonicTime) -> PlaybackFault? {
    candidates?.budget.begin(at: began)
    return budgetFault(at: now)
  }

  private func budgetFault(at now: MonotonicTime) -> PlaybackFault? {
    guard let candidates, candidates.budget.isSpent(at: now) else { return nil }
    // If more than one list was counted, an earlier try was too slow.
    let isFirst = candidates.budget.count == 1
    let isMany = candidates.hasOpenedList || candidates.budget.count > ListBudget.maxLists
    let fault =
      isMany
      ? faults.error(.onlyLists, of: request.url) : isFirst ? faults.fault(.endlessList) : faults.fault(.slowList)
    self.candidates?.abandonLists()
    return fault
  }

  /// Fault for a feed that was named by a feed, since such feeds could continue for ever; otherwise nil.
  var feedInFeed: PlaybackFault? { request.referral?.isFeed == true ? faults.fault(.feedInFeed) : nil }

  func endList(at now: MonotonicTime) { candidates?.budget.end(at: now) }

  func forgetList() { candidates?.budget.cancelList() }

  func read(
    _ kind: PlaylistKind, _ text: [UInt8], of connection: StationConnection, at base: WebAddress, now: MonotonicTime
  ) throws(PlaybackFault) -> ListContents {
    guard kind == .feed else {
      if let fault = budgetFault(ofListFrom: connection.began, at: now) { throw fault }
      endList(at: now)
      return ListContents(text, kind, contentType: connection.intake?.contentType, at: base)
    }
    candidates?.budget.countFeed()
    if let fault = feedInFeed ?? budgetFault(at: now) { throw fault }
    return ListContents(connection.intake?.finishFeed(), at: base)
  }

  /// Replaces a list by its entries. Returns false if no address is left.
  func open(_ list: ListContents, _ referral: AddressOrigin?) -> Bool {
    candidates?.open(list.entries, referral) == true
  }

  func open(_ choice: VariantChoice, at base: WebAddress, _ referral: AddressOrigin?) -> Bool {
    variants = choice.candidates.prefix(SegmentFacts.maxVariants).compactMap { candidate in
      guard let address = try? base.resolve(candidate.address) else { return nil }
      rates.record(candidate.bitRate, of: address.url)
      return (address, SegmentFacts.Variant(bitRate: candidate.bitRate, codecs: candidate.codecs))
    }
    let entries = ListContents(choice, at: base).entries.prefix(Self.maxTriedVariants)
    return candidates?.open(Array(entries), referral, isMaster: true) == true
  }

  func facts(of list: SegmentList) -> SegmentFacts {
    SegmentFacts(
      targetDuration: list.targetDuration, window: list.length, variants: variants.map(\.variant),
      chosen: variants.firstIndex { $0.address.url == address?.url })
  }

  func countHlsList(of connection: StationConnection, at now: MonotonicTime) -> PlaybackFault? {
    if let fault = budgetFault(ofListFrom: connection.began, at: now) { return fault }
    endList(at: now)
    return nil
  }
}
