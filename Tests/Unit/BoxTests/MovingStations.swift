import Network
import SeededRandom
import Settings
import Units

@testable import Box

/// Simulates stations that fail, end, move, are renamed or squatted, and the directory's entries for them.
/// The rates were measured on 707 stations over 970 nights. The 1,294 failures: 61 % last one night, 11 % two or three,
/// 9 % four to nine, 20 % ten or more. A fifth to a quarter of the ended stations continue at another address.
struct MovingStations {
  /// The real state of a station, independent of the directory.
  struct Station {
    let number: Int
    var name: String
    let id: String
    let homepage: String
    /// The current address; nil if the station is off the air for good.
    var url: StationAddress?
    /// Day of the station's return; nil if present.
    var awayUntil: Int?
    var cause = PlaybackFault.Detail.error(.connectTimeout)
    var status = 0
    /// Day on which the address ended for good; nil if still valid.
    var goneSince: Int?
    /// True if the station continues at another address.
    var hasMoved = false
  }

  /// A directory entry that appears on a later day.
  private struct Edit {
    var day: Int
    var entry: RelocationCandidate
    /// True if the entry replaces the one with its id.
    var replaces: Bool
  }

  /// The programme at an address: a station's own, by number, or another one.
  enum Programme: Equatable {
    case station(Int)
    case other(Fraud)
  }

  /// The form of a directory entry for another programme.
  enum Fraud: String, CaseIterable {
    case otherID = "another id, the station's name and homepage"
    case otherDomain = "the station's id and name, another homepage and domain"
    case nameOnly = "another id, another homepage, the station's name"
    case falsified = "the station's id and homepage"
    case before = "an entry of the station's address that was there while it came"
  }

  private(set) var stations: [Station] = []
  let directory = FakeDirectory()
  private var edits: [Edit] = []
  /// The current programmes, by address.
  private(set) var programmes: [StationAddress: Programme] = [:]
  private var random: SeededGenerator
  private var addressCount = 0
  /// Failures by length: one day, two or three, four to nine, ten or more.
  private(set) var failures: [Int] = [0, 0, 0, 0]
  private(set) var goneCount = 0
  private(set) var movedCount = 0

  init(_ count: Int, seed: UInt64) {
    random = SeededGenerator(seed)
    for number in 0..<count {
      let isOwn = chance(0.7)
      let home = isOwn ? "https://www.station\(number).example/" : "https://facebook.com/station\(number)"
      let url = address(isOwn && chance(0.6) ? "stream.station\(number).example" : host())
      let id = "station-\(number)"
      stations.append(Station(number: number, name: "Station \(number)", id: id, homepage: home, url: url))
      programmes[url] = .station(number)
      // A squatter's entry is already in the directory, and is found first.
      if chance(0.1) { directory.candidates.append(squatted(number)) }
      directory.candidates.append(
        FakeDirectory.entry(id, "Station \(number)", url.unredacted, homepage: home, votes: 100))
      // Many stations have a second entry, with another bit rate.
      if chance(0.3) {
        let second = address(host())
        programmes[second] = .station(number)
        directory.candidates.append(
          FakeDirectory.entry("\(id)-b", "Station \(number)", second.unredacted, homepage: home))
      }
    }
  }

  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

  /// Returns a random stream host, shared or private.
  private mutating func host() -> String {
    chance(0.5)
      ? "s\(Int.random(in: 0..<9, using: &random)).zeno.fm"
      : "ice\(Int.random(in: 0..<999, using: &random)).example.net"
  }

  private mutating func address(_ host: String) -> StationAddress {
    addressCount += 1
    return StationAddress("http://\(host)/\(addressCount)")
  }

  /// True if the address plays on this day, with any programme.
  func sounds(_ url: StationAddress, on day: Int) -> Bool {
    switch programmes[url] {
    case .station(let number): stations[number].awayUntil.map { day >= $0 } ?? true
    case .other: true
    case nil: false
    }
  }

  func fault(of url: StationAddress, _ station: Int) -> PlaybackFault {
    PlaybackFault(stations[station].cause, url: url.description, status: stations[station].status)
  }

  // MARK: A day

  /// Simulates one day.
  mutating func advance(to day: Int) {
    for number in stations.indices where stations[number].goneSince == nil || stations[number].hasMoved {
      if let until = stations[number].awayUntil {
        if day >= until { stations[number].awayUntil = nil }
      } else if stations[number].url != nil, chance(1_294 / (707 * 970)) {
        fail(number, on: day)
      }
    }
    for edit in edits where edit.day <= day {
      if edit.replaces { directory.candidates.removeAll { $0.id == edit.entry.id } }
      directory.candidates.append(edit.entry)
    }
    edits.removeAll { $0.day <= day }
  }

  private mutating func fail(_ number: Int, on day: Int) {
    setCause(of: number)
    let share = Double.random(in: 0..<1.01, using: &random)
    let length: Int
    switch share {
    case ..<0.61: (length, failures[0]) = (1, failures[0] + 1)
    case ..<0.72: (length, failures[1]) = (Int.random(in: 2...3, using: &random), failures[1] + 1)
    case ..<0.81: (length, failures[2]) = (Int.random(in: 4...9, using: &random), failures[2] + 1)
    default:
      failures[3] += 1
      guard chance(0.2) else { return end(number, on: day) }
      length = Int.random(in: 10...120, using: &random)
    }
    stations[number].awayUntil = day + length
    // During an absence, another programme may use the station's name.
    if length >= 4, chance(0.1) { defraud(number, on: day) }
  }

  /// Ends the address for good. The station may continue elsewhere.
  private mutating func end(_ number: Int, on day: Int) {
    goneCount += 1
    if let url = stations[number].url { programmes[url] = nil }
    (stations[number].goneSince, stations[number].url) = (day, nil)
    stations[number].hasMoved = chance(0.225)
    if stations[number].hasMoved { move(number, on: day) }
    if chance(0.15) { defraud(number, on: day) }
    turn(number, on: day)
  }

  /// The owner of a squatted entry redirects it to another programme.
  private mutating func turn(_ number: Int, on day: Int) {
    guard var entry = directory.candidates.first(where: { $0.id == "squatted-\(number)" }) else { return }
    entry.url = address("stream.squatter-of\(number).example")
    programmes[entry.url] = .other(.before)
    edits.append(Edit(day: day + Int.random(in: 0...3, using: &random), entry: entry, replaces: true))
  }

  /// A squatter's entry with the station's name and address.
  private func squatted(_ number: Int) -> RelocationCandidate {
    let station = stations[number]
    return FakeDirectory.entry(
      "squatted-\(number)", station.name, station.url?.unredacted ?? "",
      homepage: "https://www.squatter-of\(number).example/")
  }

  /// Moves the station. The directory follows up to 60 days later, mostly in the same entry.
  private mutating func move(_ number: Int, on day: Int) {
    movedCount += 1
    let station = stations[number]
    let isOwn = station.homepage.contains(".example") && chance(0.5)
    let url = address(isOwn ? "audio.station\(number).example" : host())
    stations[number].url = url
    programmes[url] = .station(number)
    var (id, name, homepage, replaces) = (station.id, station.name, station.homepage, true)
    switch Double.random(in: 0..<1, using: &random) {
    case ..<0.55: break
    case ..<0.80: (id, replaces) = ("\(station.id)-\(day)", false)
    case ..<0.90: name = "New name of \(number)"
    default: homepage = "https://www.new\(number).example/"
    }
    let entry = FakeDirectory.entry(id, name, url.unredacted, homepage: homepage, votes: 50)
    edits.append(Edit(day: day + Int.random(in: 0...60, using: &random), entry: entry, replaces: replaces))
  }

  /// Adds an entry for another programme that also sends the station's name.
  private mutating func defraud(_ number: Int, on day: Int) {
    let station = stations[number]
    let fraud = Fraud.allCases[[0, 0, 0, 1, 2, 2, 3][Int.random(in: 0..<7, using: &random)]]
    let url = address(host())
    programmes[url] = .other(fraud)
    let (hasID, hasHome) = (fraud == .otherDomain || fraud == .falsified, fraud == .otherID || fraud == .falsified)
    let entry = FakeDirectory.entry(
      hasID ? station.id : "fraud-\(addressCount)", station.name, url.unredacted,
      homepage: hasHome ? station.homepage : "https://www.squatter\(addressCount).example/", votes: 500)
    edits.append(Edit(day: day + Int.random(in: 0...30, using: &random), entry: entry, replaces: hasID))
  }

  private mutating func setCause(of number: Int) {
    let causes: [(Double, PlaybackFault.Detail, Int)] = [
      (0.31, .refused(hasCredentials: false), 404), (0.22, .error(.connectTimeout), 0),
      (0.13, .refused(hasCredentials: false), 403), (0.10, .refused(hasCredentials: false), 400),
      (0.08, .error(.hostNotFound), 0), (0.06, .error(.refused), 0), (0.05, .refused(hasCredentials: false), 503),
      (0.04, .noAudio, 200), (0.02, .error(.tls(.expired)), 0),
    ]
    var left = Double.random(in: 0..<1.01, using: &random)
    let cause = causes.first { share, _, _ in
      left -= share
      return left < 0
    }
    (stations[number].cause, stations[number].status) = (cause?.1 ?? .silence(seconds: 10), cause?.2 ?? 0)
  }
}
