import AudioOutput
import Foundation
import Network
import RadioEngine
import RadioSupport
import SeededRandom
import System
import TestSupport
import Testing
import Units

/// Random commands at random speed while stations fail (R3, S4).
///
/// `BAKELITE_COMMANDS` sets the number of commands and enables checks of memory and descriptors; no other test may run
/// then.
@Suite struct LoadTests {
  private static let wanted = ProcessInfo.processInfo.environment["BAKELITE_COMMANDS"].flatMap { Int($0) }

  @Test("Under random commands and faults, state, position and events match a simple model", arguments: [1, 2])
  func commands(seed: UInt64) async throws {
    try await Stage.run(speed: 12) {
      let station = try FaultyStation()
      defer { station.close() }
      let load = try Load(station, seed: seed)
      let count = (Self.wanted ?? 6_000) / 2
      load.issue(count / 3)
      let (memory, descriptors) = (load.radio.residentKibibytes, ProcessState.descriptorCount)
      load.issue(count - load.issued)
      #expect(load.recovers())
      let (growth, opened) = (load.radio.residentKibibytes - memory, ProcessState.descriptorCount - descriptors)
      load.end()
      #expect(load.model.complaints == [])
      #expect(load.maxDelay < 5, "no step and no command lasts")
      let told = load.model.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      let seeks = load.model.seekCounts
      print("load: \(load.issued) commands, \(growth) KiB and \(opened) descriptors more, \(told)")
      print("load: \(seeks.excused) of \(seeks.asked) seeks are excused by a late machine")
      #expect(Sanitizer.isOn || seeks.excused * 50 <= seeks.asked)
      if Self.wanted != nil { #expect(growth < 6_000 && opened < 40) }
    }
  }
}

private final class Load {
  let radio: Radio
  let model = RadioModel()
  private(set) var issued = 0
  private(set) var tunes = 0
  /// Longest delay of a command or step beyond its planned duration, in real seconds.
  private(set) var maxDelay = 0.0
  private let station: FaultyStation
  private var random: SeededGenerator

  init(_ station: FaultyStation, seed: UInt64) throws {
    self.station = station
    random = SeededGenerator(seed)
    var settings = RadioSettings()
    // One seed fills the ring during a pause, the other reaches the pause timeout.
    settings.blockCount = seed % 2 == 0 ? 24 : 120
    settings.pauseTimeout = Duration(milliseconds: seed % 2 == 0 ? 0 : 6_000)
    settings.waitLive = StreamTime(seconds: 3)
    radio = try Radio(settings, OutputRequest(.null), clock: TestClock.current.clock)
    radio.onEvent = { [unowned self] event, _ in model.process(event, radio.status) }
    EventTrace.record(radio)
  }

  func issue(_ count: Int) {
    let end = issued + count
    while issued < end, model.complaints.isEmpty {
      let fault = FaultyStation.Fault.allCases.randomElement(using: &random) ?? .none
      tunes += 1
      execute(.tune("/\(fault.rawValue)/\(tunes)"))
      _ = run(tunes % 8 == 0 ? 0.3 : fault.isAudible ? 30 : 2) { model.hasPlayed || model.state == .stopped }
      for _ in 0..<(fault.isAudible ? 50 : 5) where issued < end {
        for _ in 0..<(random.next() % 40) { execute(next()) }
        _ = run(Double(random.next() % 300) / 1_000) { false }
      }
      if tunes % 4 == 0 { dwell() }
    }
  }

  private func next() -> RadioModel.Command {
    switch random.next() % 1_000 {
    case 0..<200: .pause
    case 200..<467: .resume
    case 467..<470: .play
    case 470..<650: .rewind(Double(random.next() % 80) / 4)
    case 650..<830: .forward(Double(random.next() % 80) / 4)
    case 830..<900: .live
    case 900..<990: .oldest
    case 990..<993: .select("/none/\(random.next() % 9)")
    case 993..<998: .oldest
    case 998: .tune("/cut/\(random.next() % 9)")
    default: .stop
    }
  }

  private func execute(_ command: RadioModel.Command) {
    issued += 1
    model.begin()
    let before = moment
    let began = realSeconds
    var answer: Bool?
    switch command {
    case .pause: radio.pause()
    case .resume: radio.resume()
    case .play: answer = radio.play()
    case .stop: radio.stop()
    case .live: radio.goLive()
    case .oldest: radio.goOldest()
    case .rewind(let seconds): radio.rewind(by: seconds)
    case .forward(let seconds): radio.forward(by: seconds)
    case .tune(let path): radio.tune(StationRequest(url: station.url(path)))
    case .select(let path): radio.select(StationRequest(url: station.url(path)))
    }
    maxDelay = max(maxDelay, realSeconds - began)
    model.end(command, from: before, to: moment, answer: answer)
  }

  private func step(_ seconds: Double) {
    let began = realSeconds
    radio.step(Duration(seconds: seconds))
    maxDelay = max(maxDelay, realSeconds - began - seconds)
    model.checkState(at: moment)
  }

  private func run(_ seconds: Double, until isDone: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !isDone(), model.complaints.isEmpty {
      if monotonicSeconds() > end { return false }
      step(0.02)
    }
    return isDone()
  }

  /// A long pause, or playback without commands; a pending seek must end, and a pause must stay silent.
  private func dwell() {
    if random.next() % 2 == 0 { execute(.pause) }
    seek()
    guard model.state == .paused else {
      _ = run(1.5) { false }
      return
    }
    _ = run(4) { false }
    let (heard, position) = (moment.status.heard, moment.position)
    _ = run(tunes % 8 == 0 ? 14 : 1) { false }
    guard model.state == .paused else { return }
    if moment.status.heard != heard || moment.position != position {
      model.complain("it pauses and goes on from \(position) to \(moment.position)")
    }
    model.isStill = true
    for _ in 0..<4 { execute(.rewind(Double(random.next() % 80) / 8)) }
    for _ in 0..<2 { execute(.forward(Double(random.next() % 80) / 8)) }
    seek()
    model.isStill = false
    execute(.resume)
  }

  private func seek() {
    if !run(120, until: { !model.mustFinishSeek || model.state == .stopped }) { model.complain("a seek is never done") }
  }

  /// True if a good station plays afterwards without a complaint.
  func recovers() -> Bool {
    execute(.tune("/none/last"))
    return run(240) { model.state == .playing && moment.position > 1 }
  }

  func end() {
    execute(.stop)
    _ = radio.close()
  }

  private var moment: RadioModel.Moment {
    let before = monotonicSeconds()
    let (status, written) = (radio.status, radio.status.blocks.written.seconds)
    let time = monotonicSeconds()
    return RadioModel.Moment(time: time, span: time - before, status: status, written: written)
  }

  private var realSeconds: Double { Clock.machine.now().seconds }
}
