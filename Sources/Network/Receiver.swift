import Blocks
import Framing
import Listings
import Units

/// Tunes to a station and keeps it: opens its playlists, tries its addresses, takes its audio into the block ring, and
/// connects anew when it is lost. The net thread's.
final class Receiver {
  let engine: HttpEngine
  /// Where the programme goes.
  let output: ProgrammeOutput
  let hold: HoldRule

  /// Whom to call.
  enum Raise {
    /// Those who wait for packets.
    case packets
    /// Those who read notices.
    case notice
  }

  /// Which connections there are, and when the next one is tried.
  var lines = Lines()
  /// The connections themselves.
  var receptions: [LineID: Reception] = [:]
  /// The connection that was made last.
  var lastLine = LineID.none
  /// Finds out whether a host exists.
  let names = NameProbe()

  var request = StationRequest(url: "")
  var candidates: Candidates?
  /// Whether and when what failed is tried again.
  var tries = Tries(at: .zero, seed: 0)
  /// What was told of trouble that has not passed yet.
  var outage = Outage()
  /// What the server of the last answer told.
  var facts: StationFacts?
  /// What its answers say of whether it is a file.
  var evidence = FileEvidence()

  /// What kind of source is on.
  var source = Source.undecided
  /// Whether parts of it can be asked for.
  var ranges = Ranges.parts
  /// The files of the programme.
  var sequence = FileSequence()
  /// What is looked at in a file beside its download.
  var looks: FileLooks

  /// How the server is made to wait.
  var throttle = Throttle()
  /// Whether the last read dropped what was not heard.
  var isWrapping = false
  /// When the machine got a link, an address or a route last, until the connection that it may have broken is left.
  var linkGained: MonotonicTime?

  /// A receiver that fills `writer`'s ring and sees by `board` what is heard; `raise` calls those who wait for packets
  /// or notices, and `onList` takes each list that is opened. `hold` says how far it may run ahead of the sound.
  init(
    _ engine: HttpEngine, _ writer: consuming BlockWriter, _ notices: UnsafePointer<EventRing>,
    _ board: UnsafePointer<StatusBoard>, _ hold: HoldRule, raise: @escaping (Raise) -> Void,
    onList: @escaping (FileList) -> Void
  ) {
    self.engine = engine
    self.hold = hold
    looks = FileLooks(engine)
    let sender = NoticeSender(notices, raise: { raise(.notice) }, onList: onList)
    output = ProgrammeOutput(writer, MetadataFeeds(engine), sender, board) { raise(.packets) }
  }

  /// What can go wrong with what is being asked for.
  var troubles: AddressTroubles {
    let address = candidates?.current.address
    return AddressTroubles(
      address?.url ?? request.url, host: address?.host, hasCredentials: request.credentials != nil)
  }

  var now: MonotonicTime { engine.clock.now() }

  private var seed: UInt64 { UInt64(bitPattern: now.nanoseconds) }

  /// The connection whose packets are taken; nil where there is none.
  var current: Reception? { lines.lead.flatMap { receptions[$0] } }

  /// Whether a connection is still listened to; an older one's last words are not heard.
  func counts(_ reception: Reception) -> Bool { lines.contains(reception.id) }

  /// Whether it is the one whose packets are taken.
  func leads(_ reception: Reception) -> Bool { lines.lead == reception.id }

  // MARK: Orders

  /// Leaves what was, and begins the programme `epoch`.
  func tune(_ request: StationRequest, epoch: UInt32) {
    stop()
    self.request = request
    (source, ranges, sequence) = (.undecided, .parts, FileSequence())
    looks.forgetTail()
    output.beginTitles(request)
    restart(epoch: epoch)
    tries = Tries(at: now, seed: seed)
    (evidence, outage) = (FileEvidence(), Outage())
    let budget = candidates?.budget
    (facts, candidates) = (nil, nil)
    do throws(NetworkError) {
      let address = try WebAddress(request.url, allowsFile: true)
      candidates = Candidates(address, request.referral, budget: budget)
      connect()
    } catch {
      tell(.trouble(troubles.error(error, of: request.url), isFinal: true))
    }
  }

  /// Nothing is known of what is on but what was heard of it.
  func forgetSource() { if sequence.isFollowing { source = .finite } else if !tries.hasPlayed { source = .undecided } }

  /// Forgets what is held: what comes is of the programme `epoch`.
  func restart(epoch: UInt32) {
    output.begin(epoch: epoch)
    tries.restart(seed: seed)
  }

  /// Ends the connection; what is held stays.
  func stop() {
    output.askForTitles(false, request)
    hangUp()
  }

  /// Ends the connection of a live station, or the tries to get one, until `resume`; all that is held and known stays.
  func rest() {
    guard lines.isBusy || names.isAsking, !source.hasEnd else { return }
    // What may be a file waits where it is.
    if let current, comesAsFile(current) { return }
    current?.flush()
    output.settle()
    hangUp(toRest: true)
  }

  /// Begins or ends asking for titles beside the stream; without effect where the station has none.
  func nowPlaying(_ isWanted: Bool) { output.askForTitles(isWanted, request) }

  /// Takes up a station that rests: it is tried at once, and joined to what is held.
  func resume() {
    guard lines.state == .resting else { return }
    if tries.hasPlayed { tell(.lost) }
    lines.plan(tries.resume(at: now))
  }

  /// The machine slept: the connections are dead, and made anew.
  func renew() {
    tries.hurry()
    dropSpares()
    outage.forgetSpare()
    _ = lines.hasten(to: tries.soonest(after: now))
    guard let current, candidates?.current.address.isFile != true else { return }
    if source.file == nil { current.flush() }
    output.settle()
    failed(current, troubles.slept, mayPass: true)
  }

  private func hangUp(toRest: Bool = false) {
    looks.forgetCount()
    looks.interruptTail()
    names.forget()
    for id in lines.stop(toRest: toRest) { leave(id) }
    throttle.release()
    outage.forgetSpare()
    linkGained = nil
  }

  /// Lets go of a connection that is none of `lines` any more, and remembers how far behind it was. A list that it
  /// brings is not timed any more.
  func leave(_ id: LineID?) {
    guard let reception = id.flatMap({ receptions.removeValue(forKey: $0) }) else { return }
    if reception.bringsList { candidates?.budget.forget() }
    linkGained = nil
    if reception.isJoined { output.leave(lag: reception.lag) }
    reception.cancel()
  }

  // MARK: Time

  /// What is due at this moment.
  func attend() {
    output.flush()
    output.settle(at: now, isFull: isJoinFull)
    for id in [lines.lead].compactMap({ $0 }) + lines.spares {
      if let reception = receptions[id], reception.isPaused { attendPause(of: reception) }
    }
    attendNames()
    attendLines()
    output.poll(onAir, at: now)
    looks.poll(at: now)
  }

  /// When `attend` is to be called next, if nothing else happens.
  var nextMoment: MonotonicTime {
    noteLines()
    let due = lines.due(at: now, rules, look: throttle.interval)
    return min(due, output.due(onAir, at: now), names.due, looks.due)
  }

  /// What is on the air now; nil while nothing is, or its place is still sought.
  private var onAir: OnAir? {
    guard let current, current.isAnnounced, current.isJoined, source.isLive, !output.seeksPlace else {
      return nil
    }
    // A burst has a second to come.
    let settled = (current.firstPacket ?? now) + Duration(milliseconds: 1_000)
    return OnAir(
      line: current.id, settled: settled, lastData: current.lastData, lag: current.lag, time: output.time)
  }

  /// Whether so much is held, and comes, that looking every 200 ms is enough.
  var isAtEase: Bool {
    guard let current, current.isAnnounced, source.isLive, !current.isPaused, lines.isSettled else { return false }
    return output.isAtEase
  }

  /// Tells something of the programme.
  func tell(_ notice: NetNotice) { output.tell(notice) }
}
