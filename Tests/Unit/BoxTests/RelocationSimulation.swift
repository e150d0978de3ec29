import Network
import RadioEngine
import SeededRandom
import Settings
import Units

@testable import Box

/// Simulates boxes over years of listening to moving stations, day by day, with the box's own policy.
final class RelocationSimulation {
  /// The results of a simulation.
  struct Figures: Equatable {
    /// Presets with a dead address, and those that continue elsewhere.
    var gone = 0
    var movedAway = 0
    /// Presets moved to their own station, without and with a question.
    var takenRight = 0
    var acceptedRight = 0
    /// All questions, and those about another programme.
    var asked = 0
    var askedOfOthers = 0
    /// Questions about a preset with an address that returned.
    var askedInVain = 0
    /// Moves to another programme without a question, by kind.
    var takenWrongly: [MovingStations.Fraud: Int] = [:]
    /// Moves to another programme that the owner accepted.
    var acceptedWrongly = 0
    /// Days from the end of an address to each correct move.
    var days: [Int] = []
    /// Addresses tested silently.
    var hearings = 0
    /// Maximum number of addresses tested in one box on one day.
    var mostHearings = 0
    /// Writes of preset health, over all boxes and days.
    var saves = 0
  }

  private(set) var figures = Figures()
  private(set) var world: MovingStations
  private let policy: Configuration.Directory.Relocation
  private var boxes: [Box] = []
  private var random: SeededGenerator

  private final class Box {
    let presets: PresetController
    let listener = FakeListener()
    let relocation: RelocationController
    /// Station numbers by preset name.
    let stations: [String: Int]
    /// Presets with a counted end.
    var counted: Set<String> = []
    let saves = Counter()

    final class Counter { var count = 0 }

    init(_ stations: ArraySlice<MovingStations.Station>, _ directory: FakeDirectory, _ relocate: String) {
      let base = stations.compactMap { station in station.url.map { StationSettings(name: station.name, url: $0) } }
      let owner = FakeOwner()
      presets = PresetController(
        PresetCatalog(base: base, owner.settings, Configuration().buffer), owner, Configuration().buffer)
      let settings = SettingsController(Configuration(), owner)
      _ = try? settings.set("directory.relocate", as: relocate, over: base)
      self.stations = Dictionary(uniqueKeysWithValues: stations.map { ($0.name, $0.number) })
      let saves = saves
      relocation = RelocationController(presets, settings, PresetHealth(), directory, listener) { _ in saves.count += 1
      }
    }
  }

  init(boxes count: Int, presets: Int = 20, _ policy: Configuration.Directory.Relocation, seed: UInt64) {
    world = MovingStations(count * presets, seed: seed)
    self.policy = policy
    random = SeededGenerator(seed &+ 1)
    for box in 0..<count {
      let stations = world.stations[box * presets..<(box + 1) * presets]
      boxes.append(Box(stations, world.directory, policy.rawValue))
    }
  }

  private func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

  func run(days: Int) {
    for day in 0..<days {
      world.advance(to: day)
      for box in boxes { live(box, day) }
    }
    figures.gone = boxes.reduce(0) { $0 + $1.counted.count }
    figures.saves = boxes.reduce(0) { $0 + $1.saves.count }
  }

  /// Simulates an evening in which the owner plays some presets, mostly the first ones.
  private func live(_ box: Box, _ day: Int) {
    var now = MonotonicTime(seconds: Double(day) * 86_400 + Double.random(in: 61_200..<72_000, using: &random))
    // The line may be down, detected by the box or not. Sometimes the box's clock is not set.
    let (isDown, isSeen, hasClock) = (chance(0.02), chance(0.5), !chance(0.01))
    let before = box.listener.heard.count
    for (place, entry) in box.presets.catalog.entries.enumerated() where chance(place < 5 ? 0.7 : 0.25) {
      guard let station = box.stations[entry.settings.name] else { continue }
      note(world.stations[station], of: box, entry.settings)
      now = now + Duration(seconds: 120)
      let url = entry.settings.url
      func seen() -> RelocationController.BoxState {
        .init(tuned: url, wall: hasClock ? Int64(now.seconds) + 1_700_000_000 : nil, now: now)
      }
      box.relocation.process(.connecting(url: url.description), nil, seen())
      if !isDown, world.sounds(url, on: day) {
        let isBlip = chance(0.02)
        box.relocation.process(.playing(station: nil, latency: 0, behindLive: nil), nil, seen())
        now = now + Duration(seconds: isBlip ? 5 : 60)
        box.relocation.advance(seen())
        box.relocation.process(.stopped(.user), nil, seen())
        continue
      }
      let own = PlaybackFault(.error(isSeen ? .noNetwork : .connectTimeout), url: url.description)
      box.relocation.process(.stopped(.error), isDown ? own : world.fault(of: url, station), seen())
      settle(box, station, url, isDown: isDown, day, seen)
    }
    figures.hearings += box.listener.heard.count - before
    figures.mostHearings = max(figures.mostHearings, box.listener.heard.count - before)
  }

  /// Answers silent tests and open questions.
  private func settle(
    _ box: Box, _ station: Int, _ url: StationAddress, isDown: Bool, _ day: Int,
    _ seen: () -> RelocationController.BoxState
  ) {
    let wasAsked = Set(box.relocation.questions.map(\.url))
    var heard = box.listener.heard.count
    repeat {
      heard = box.listener.heard.count
      if let request = box.listener.heard.last, box.relocation.isTesting {
        box.listener.verdict = !isDown && world.sounds(request.url, on: day) ? .played : .failed("")
      }
      box.relocation.advance(seen())
    } while box.listener.heard.count != heard || box.relocation.isTesting
    if policy == .auto, let name = box.stations.first(where: { $0.value == station })?.key,
      let new = box.presets.catalog.entries.first(where: { $0.settings.name == name })?.settings.url, new != url
    {
      taken(new, for: station, isAccepted: false, day)
    }
    for asked in box.relocation.questions {
      if !wasAsked.contains(asked.url) { count(asked, station, day) }
      answer(asked, box, station, day)
    }
  }

  private func count(_ asked: RelocationController.OpenQuestion, _ station: Int, _ day: Int) {
    figures.asked += 1
    if world.programmes[asked.question.url] != .station(station) { figures.askedOfOthers += 1 }
    if world.stations[station].goneSince == nil { figures.askedInVain += 1 }
  }

  /// Answers every other question. The owner recognizes the station in 97 % of the cases.
  private func answer(_ asked: RelocationController.OpenQuestion, _ box: Box, _ station: Int, _ day: Int) {
    guard box.stations[asked.name] == station, chance(0.5) else { return }
    let isSame = world.programmes[asked.question.url] == .station(station)
    guard isSame == chance(0.97) else { return box.relocation.refuse(asked) }
    try? box.relocation.accept(asked)
    taken(asked.question.url, for: station, isAccepted: true, day)
  }

  private func taken(_ url: StationAddress, for station: Int, isAccepted: Bool, _ day: Int) {
    switch world.programmes[url] {
    case .station(station):
      if isAccepted { figures.acceptedRight += 1 } else { figures.takenRight += 1 }
      if let since = world.stations[station].goneSince { figures.days.append(day - since) }
    case .other(let fraud) where !isAccepted: figures.takenWrongly[fraud, default: 0] += 1
    case .other: figures.acceptedWrongly += 1
    case .station, nil: break
    }
  }

  /// Counts each preset with a dead address once.
  private func note(_ station: MovingStations.Station, of box: Box, _ preset: StationSettings) {
    guard station.goneSince != nil, box.counted.insert(preset.name).inserted else { return }
    if station.hasMoved { figures.movedAway += 1 }
  }
}
