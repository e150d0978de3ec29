import Control
import Http
import Network
import RadioEngine
import Settings
import Units

/// Finds new addresses for presets that fail (G5). Counts failures, searches the directory, tests other addresses
/// without audible output, and stores questions for the owner. Control thread only.
final class RelocationController {
  struct BoxState {
    var tuned: StationAddress?
    var isRecording = false
    /// Seconds since 1970; nil while the clock is not set. Without a time, no success or failure counts.
    var wall: Int64?
    var now: MonotonicTime
  }

  struct OpenQuestion: Equatable {
    let name: String
    let url: StationAddress
    let question: PresetRecord.Question
  }

  var onMove: (_ name: String) -> Void = { _ in }

  private(set) var health: PresetHealth { didSet { hasQuestions = health.records.contains { $0.question != nil } } }
  /// Cached, because the panel checks it in each iteration.
  private(set) var hasQuestions: Bool
  private var watch = PresetWatch()
  private var machine = Relocation()
  /// Presets that wait until the directory is open. `identity`: preset whose directory entry is to be stored. `lookUp`:
  /// preset whose new address is to be found.
  private var waiting: (identity: StationAddress?, lookUp: StationAddress?) = (nil, nil)
  private let presets: PresetController
  private let settings: SettingsController
  private let source: any RelocationSource
  private let listener: any CandidateListening
  private let onSave: (PresetHealth) -> Void
  private let end: () -> Void
  private(set) var audition: StationAddress?

  init(
    _ presets: PresetController, _ settings: SettingsController, _ health: PresetHealth, _ source: any RelocationSource,
    _ listener: any CandidateListening, keep: @escaping (PresetHealth) -> Void,
    finish: @escaping () -> Void = {}
  ) {
    self.presets = presets
    self.settings = settings
    self.health = health
    self.source = source
    self.listener = listener
    onSave = keep
    end = finish
    hasQuestions = health.records.contains { $0.question != nil }
  }

  var due: MonotonicTime { watch.due }

  /// True while an address is tested without audible output.
  var isTesting: Bool { machine.isTesting }

  // MARK: Events

  func process(_ event: Event, _ fault: PlaybackFault?, _ seen: BoxState) {
    let before = health
    let inputs = Self.inputs(event, fault, seen.tuned.flatMap { isPreset($0) ? $0 : nil })
    if inputs.contains(where: \.isFailure), wasFetchedLately(seen) { count(watch.apply(.reached, at: seen.now), seen) }
    for input in inputs { count(watch.apply(input, at: seen.now), seen) }
    if audition != nil, case .connecting = event, question(of: audition)?.question.url != seen.tuned { audition = nil }
    save(since: before)
  }

  /// True if the directory was fetched within the last hour, which proves internet access.
  private func wasFetchedLately(_ seen: BoxState) -> Bool {
    guard policy != .never, let wall = seen.wall, let fetched = source.fetched else { return false }
    return ((wall - 3_600)...wall).contains(fetched)
  }

  func advance(_ seen: BoxState) {
    let before = health
    count(watch.advance(at: seen.now), seen)
    processWaiting(seen)
    if let audition, question(of: audition) == nil { self.audition = nil }
    if seen.isRecording, machine.isTesting { perform(machine.apply(.busy), seen) }
    if let subject = machine.subject {
      // The optimizer of Swift 6.3.1 crashes if the condition calls the computed property.
      let policy = policy
      let isOver = health[subject.url]?.isFailing != true || !isPreset(subject.url) || machine.policy != policy
      if isOver { perform(machine.apply(.changed), seen) }
    }
    if let verdict = listener.removeVerdict() {
      if case .failed(let reason) = verdict, let subject = machine.subject {
        log(.notice, "\(subject.name): another address of the directory did not play. \(reason)")
      }
      perform(machine.apply(verdict == .played ? .played : .failed), seen)
    }
    save(since: before)
  }

  /// Converts an event to inputs. Reconnects count as a failure only if the buffer is empty.
  private static func inputs(
    _ event: Event, _ fault: PlaybackFault?, _ preset: StationAddress?
  ) -> [PresetWatch.Input] {
    switch event {
    case .connecting, .followed: return [.tuned(preset), .silent]
    case .playing, .stitched: return [.playing]
    case .reconnecting(let attempt, _, _, let held):
      guard attempt >= minAttempts, held <= 0, let fault else { return [.silent] }
      return [.failed(fault.cause)]
    case .stopped(.error): return fault.map { [.failed($0.cause)] } ?? [.silent]
    case .stopped, .paused: return [.silent]
    default: return []
    }
  }

  /// Number of reconnects that count as a failure; the radio reconnects every second.
  private static let minAttempts = 10

  private func count(_ outcomes: [PresetWatch.Outcome], _ seen: BoxState) {
    guard let wall = seen.wall else { return }
    for outcome in outcomes {
      switch outcome {
      case .succeeded(let url):
        let last = health[url]?.lastSuccess
        health.recordSuccess(of: url, at: wall)
        // `lastSuccess` changes once a day, so that the directory is not read from a card more often.
        if health[url]?.lastSuccess != last { identify(url) }
      case .failed(let url, let cause):
        health.recordFailure(of: url, cause, at: wall)
        lookUp(url, seen, wall)
      }
    }
  }

  private func processWaiting(_ seen: BoxState) {
    guard waiting != (nil, nil), !source.isOpening else { return }
    let (identity, due) = waiting
    waiting = (nil, nil)
    if let identity { identify(identity) }
    if let due, let wall = seen.wall { lookUp(due, seen, wall) }
  }

  /// Stores the id and homepage of the entry that has the address of a playing preset.
  ///
  /// Stored values stay. Otherwise a stranger could take over a preset by editing its entry step by step, homepage
  /// first.
  private func identify(_ url: StationAddress) {
    guard health[url]?.directoryID == nil, let station = presets.catalog.entry(url: url, name: nil)?.settings,
      station.url == url
    else { return }
    guard !source.isOpening else { return waiting.identity = url }
    guard let entry = source.entry(id: station.directoryID, url: url, name: station.name),
      entry.url == url
    else { return }
    health.identify(url, directoryID: entry.id, homepage: entry.homepage)
  }

  private func lookUp(_ url: StationAddress, _ seen: BoxState, _ wall: Int64) {
    guard !seen.isRecording, !machine.isTesting, audition != url, policy != .never, let record = health[url],
      record.isDue(
        afterDays: settings.configuration.directory.relocateAfterDays, isAnswered: policy == .auto, at: wall),
      let station = presets.catalog.entry(url: url, name: nil)?.settings, station.url == url
    else { return }
    guard !source.isOpening else { return waiting.lookUp = url }
    guard source.fetched != nil else { return }
    let subject = RelocationSubject(
      name: station.name, foldedName: source.folded(station.name), url: url,
      id: (station.directoryID ?? record.directoryID)?.lowercased(), homepage: record.homepage,
      isOwnID: station.directoryID != nil, refused: record.refused)
    perform(machine.apply(.due(subject, source.entries(for: subject), policy)), seen)
  }

  private func perform(_ actions: [Relocation.Action], _ seen: BoxState) {
    for action in actions {
      switch action {
      case .test(let candidate, let subject):
        if let request = request(candidate.url, insteadOf: subject.url) {
          listener.test(request)
        } else {
          perform(machine.apply(.failed), seen)
        }
      case .stopTest: listener.cancel()
      case .recordLookUp(let subject): if let wall = seen.wall { health.recordLookUp(of: subject.url, at: wall) }
      case .ask(let subject, let candidate): ask(subject, candidate, seen.wall ?? 0)
      case .adopt(let subject, let candidate):
        do throws(ControlRefusal) {
          // If the entry was found only by its address, the owner has not chosen it, even after a move.
          try move(
            subject.url, of: subject.name, to: .init(candidate), isChosen: subject.isOwnID, homepage: candidate.homepage
          )
        } catch {
          log(.warning, "\(subject.name): \(error.message)")
          if let wall = seen.wall { health.recordLookUp(of: subject.url, at: wall) }
        }
      }
    }
  }

  /// Returns the request for a directory address, without the preset's other settings. Allows a private network only on
  /// the preset's own server.
  private func request(_ url: StationAddress, insteadOf old: StationAddress) -> StationRequest? {
    let home = PresetCatalog.isSameHost(url, old) ? old : ""
    return PresetCatalog.request(url, settings.configuration.buffer, AddressPolicy(namedBy: home))
  }

  // MARK: Questions to the owner

  var questions: [OpenQuestion] {
    guard hasQuestions, policy != .never else { return [] }
    return presets.catalog.entries.compactMap { entry in
      health[entry.settings.url]?.question.map {
        OpenQuestion(name: entry.settings.name, url: entry.settings.url, question: $0)
      }
    }
  }

  private func question(of url: StationAddress?) -> OpenQuestion? { questions.first { $0.url == url } }

  /// Returns the question for the panel: of the auditioned or tuned preset, or else the first question.
  func panelQuestion(tuned: StationAddress?) -> OpenQuestion? {
    question(of: audition ?? tuned) ?? questions.first
  }

  func request(for asked: OpenQuestion) -> StationRequest? { request(asked.question.url, insteadOf: asked.url) }

  func beginAudition(of asked: OpenQuestion) {
    audition = asked.url
    // Stops a test of this preset, because its result could remove the question during the audition.
    if machine.subject?.url == asked.url, machine.apply(.changed) == [.stopTest] { listener.cancel() }
  }

  func accept(_ asked: OpenQuestion) throws(ControlRefusal) {
    let before = health
    let question = asked.question
    let entry = source.entry(id: question.directoryID, url: question.url, name: question.name)
    try move(asked.url, of: asked.name, to: question, isChosen: true, homepage: entry?.homepage)
    save(since: before)
  }

  func refuse(_ asked: OpenQuestion) {
    let before = health
    if audition == asked.url { audition = nil }
    health.refuse(asked.url)
    log(.notice, "\(asked.name) keeps its address; \(asked.question.url) is not asked about again.")
    save(since: before)
  }

  private func ask(_ subject: RelocationSubject, _ candidate: RelocationCandidate, _ wall: Int64) {
    let isNew = health[subject.url]?.question != .init(candidate)
    health.ask(.init(candidate), of: subject.url, at: wall)
    guard isNew else { return }
    log(
      .notice,
      """
      \(subject.name) has failed for days, and the directory has another address that gives sound: \(candidate.url). \
      The box asks you when you tune to the station; bakelite ctl radio_relocate accept takes the address, and \
      radio_relocate refuse leaves it.
      """)
  }

  /// Changes a preset's address. `isChosen`: true if the owner chose the directory's entry.
  private func move(
    _ url: StationAddress, of preset: String, to question: PresetRecord.Question, isChosen: Bool, homepage: String?
  ) throws(ControlRefusal) {
    let id = isChosen ? question.directoryID : nil
    let name = try presets.relocate(url, of: preset, to: question.url, directoryID: id)
    if audition == url { audition = nil }
    health.move(url, to: question.url, directoryID: question.directoryID, homepage: homepage)
    guard let name else { return }
    log(.notice, "\(name) has a new address: \(question.url); the old address, \(url), stays as an alternative.")
    onMove(name)
  }

  private var policy: Relocation.Policy { settings.configuration.directory.relocate }

  private func isPreset(_ url: StationAddress) -> Bool {
    presets.catalog.entries.contains { $0.settings.url == url }
  }

  private func save(since before: PresetHealth) { if health != before { onSave(health) } }

  func finish() {
    listener.finish()
    end()
  }
}

extension PresetRecord.Question {
  init(_ candidate: RelocationCandidate) {
    self.init(url: candidate.url, name: candidate.name, directoryID: candidate.id)
  }
}
