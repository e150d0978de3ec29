import Network
import RadioEngine
import SeededRandom
import Settings
import Units

@testable import Box

/// Boxes whose owners listen for years to stations that move, driven through the policy of the box, day by day.
final class RelocationSimulation {
  /// What came of it.
  struct Figures: Equatable {
    /// Presets whose address went for good, and those of them that live on elsewhere.
    var gone = 0
    var movedAway = 0
    /// Presets that were given another address of their own station, without and with asking.
    var takenRight = 0
    var acceptedRight = 0
    /// Questions, and those of them that are about another programme.
    var asked = 0
    var askedOfOthers = 0
    /// Questions of a preset whose old address came back.
    var askedInVain = 0
    /// Another programme, taken without asking: by what differs.
    var takenWrongly: [MovingStations.Fraud: Int] = [:]
    /// Another programme that the owner heard and took.
    var acceptedWrongly = 0
    /// Days from the end of an address to the other one, of each preset that was given one.
    var days: [Int] = []
    /// Addresses that were heard silently.
    var hearings = 0
    /// The most that were heard on one day of one box.
    var mostHearings = 0
    /// Times that what is kept changed, per box and day.
    var saves = 0
  }

  private(set) var figures = Figures()
  private(set) var world: MovingStations
  private let policy: Configuration.Directory.Relocation
  private var boxes: [Box] = []
  private var random: SeededGenerator

  /// One owner's box.
  private final class Box {
    let presets: PresetController
    let listener = FakeListener()
    let relocation: RelocationController
    /// The station of each preset, by its name.
    let stations: [String: Int]
    /// The presets whose end was counted.
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

  /// Lets so many days go by.
  func run(days: Int) {
    for day in 0..<days {
      world.advance(to: day)
      for box in boxes { live(box, day) }
    }
    figures.gone = boxes.reduce(0) { $0 + $1.counted.count }
    figures.saves = boxes.reduce(0) { $0 + $1.saves.count }
  }

  /// A day of an owner: he listens to some of his presets, the first ones mostly, in the evening.
  private func live(_ box: Box, _ day: Int) {
    var now = MonotonicTime(seconds: Double(day) * 86_400 + Double.random(in: 61_200..<72_000, using: &random))
    // The line is down, which the box sees or not; and now and then its clock is not set.
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

  /// Hears what is to be heard, and answers what is asked.
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

  /// The owner is there every other time, hears the other address, and knows his station in 97 of 100.
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

  /// Counts a preset once whose address is gone.
  private func note(_ station: MovingStations.Station, of box: Box, _ preset: StationSettings) {
    guard station.goneSince != nil, box.counted.insert(preset.name).inserted else { return }
    if station.hasMoved { figures.movedAway += 1 }
  }
}
