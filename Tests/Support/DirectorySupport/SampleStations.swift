import SeededRandom

/// Fictional stations with a realistic distribution, reproducible by a seed. Names have realistic lengths in 12
/// scripts. A few votes, countries, tags and hosts are frequent, many are rare.
public struct SampleStations: Sequence, IteratorProtocol {
  private var random: SeededGenerator
  private var remainingCount: Int
  private let world: SampleWorld
  private var number = 0

  /// Creates a sequence of `count` stations.
  public init(_ count: Int, seed: UInt64 = 1) {
    remainingCount = count
    random = SeededGenerator(seed)
    world = SampleWorld(seed: seed)
  }

  /// Returns a CSV list of `count` stations.
  public static func csv(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    Array(SampleStation.csvHeader.utf8) + SampleStations(count, seed: seed).flatMap { $0.csv.utf8 }
  }

  /// Returns an XML list of `count` stations.
  public static func xml(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    Array(SampleStation.xmlFrame.start.utf8) + SampleStations(count, seed: seed).flatMap { $0.xml.utf8 }
      + Array(SampleStation.xmlFrame.end.utf8)
  }

  /// Returns the next station; nil at the end.
  public mutating func next() -> SampleStation? {
    guard remainingCount > 0 else { return nil }
    remainingCount -= 1
    number += 1
    var station = SampleStation()
    let country = world.countries[skewedIndex(world.countries.count)]
    station.uuid = uuid()
    station.country = country.name
    station.countryCode = country.code
    station.language = country.language
    let town = world.towns[skewedIndex(world.towns.count)]
    station.name = name(country, town)
    if chance(55) { station.state = world.towns[skewedIndex(400)] }
    station.tags = (0..<Int(random.next() % 6)).map { _ in world.tags[skewedIndex(world.tags.count)] }.joined(
      separator: ",")
    station.votes = votes()
    station.isAlive = chance(92)
    setCodec(&station)
    setAddresses(&station, country, town)
    return station
  }

  /// Returns a random index; low indices are much more frequent (nearly Zipf's law).
  private mutating func skewedIndex(_ count: Int) -> Int {
    let part = Double(random.next() >> 11) / Double(1 << 53)
    return Swift.min(count - 1, Int(Double(count) * part * part * part * part))
  }

  private mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

  private mutating func votes() -> Int {
    let part = Double(random.next() >> 11) / Double(1 << 53)
    return Int(3 / (part + 0.00001)) - 3
  }

  private mutating func uuid() -> String {
    let digits = (0..<2).map { _ in
      let text = String(random.next() | 1 << 60, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var (text, rest) = ([String](), digits[...])
    for count in [8, 4, 4, 4, 12] {
      text.append(String(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return text.joined(separator: "-")
  }

  private mutating func name(_ country: SampleWorld.Country, _ town: String) -> String {
    let words = SampleWorld.scripts[country.script]
    func pick(_ random: inout SeededGenerator) -> String { words[Int(random.next() % UInt64(words.count))] }
    let frequency = "\(88 + random.next() % 20).\(random.next() % 10)"
    if country.script > 0, chance(60) {
      return [pick(&random), pick(&random), chance(50) ? frequency : pick(&random)].joined(separator: " ")
    }
    let extra = world.towns[skewedIndex(world.towns.count)]
    switch random.next() % 10 {
    case 0: return "Radio \(town)"
    case 1: return "\(town) FM \(frequency)"
    case 2: return "\(town) \(extra) Radio"
    case 3: return "\(pick(&random)) \(extra) - \(town) \(frequency) FM"
    case 4:
      return
        "\(extra.uppercased()) \(frequency) (\(town)) - \(frequency) FM - \(pick(&random)) \(extra), \(country.name)"
    case 5: return "\(pick(&random)) \(pick(&random)) \(extra)"
    case 6: return "# \(pick(&random)) \(world.tags[skewedIndex(300)]) \"\(extra)\""
    case 7: return "Hit Radio \(extra) | \(world.tags[skewedIndex(300)]), \(world.tags[skewedIndex(300)])"
    case 8: return "\(extra)\(frequency)"
    default: return "\(pick(&random)) \(town) \(world.tags[skewedIndex(600)])"
    }
  }

  /// Chooses a codec with the shares of the real directory.
  private mutating func setCodec(_ station: inout SampleStation) {
    let share = random.next() % 100
    station.codec = share < 68 ? "MP3" : share < 80 ? "AAC" : share < 90 ? "AAC+" : share < 92 ? "OGG" : "UNKNOWN"
    station.isHls = share >= 93 && share < 99
    let rates = [128, 192, 64, 320, 96, 48, 256, 0]
    station.bitRate = station.codec == "UNKNOWN" ? 0 : rates[skewedIndex(rates.count)]
  }

  private mutating func setAddresses(_ station: inout SampleStation, _ country: SampleWorld.Country, _ town: String) {
    let scheme = chance(62) ? "https" : "http"
    let slug = town.lowercased().filter { $0.isASCII && $0.isLetter }
    let hash = String(random.next(), radix: 36)
    let ending =
      station.isHls ? "playlist.m3u8" : ["stream", "live.mp3", ";", "listen.pls", "radio.aac"][skewedIndex(5)]
    switch random.next() % 10 {
    case 0: station.url = "\(scheme)://stream.zeno.fm/\(hash)"
    case 1:
      station.url =
        "\(scheme)://playerservices.streamtheworld.com/api/livestream-redirect/"
        + "\(slug.uppercased())\(number % 97)AAC.aac"
    case 2:
      let rest = (0..<3).map { _ in "\(random.next() % 256)" }.joined(separator: ".")
      let host = "\(random.next() % 223 + 1).\(rest)"
      station.url = "http://\(host):8\(random.next() % 900 + 100)/\(ending)"
    case 3, 4:
      station.url =
        "\(scheme)://\(world.hosts[skewedIndex(world.hosts.count)]):8\(random.next() % 900 + 100)/\(slug)/\(ending)"
    case 5:
      station.url =
        "\(scheme)://\(world.hosts[skewedIndex(world.hosts.count)])/\(slug)/\(hash)/\(ending)"
        + "?id=\(number)&uuid=\(station.uuid)"
    default:
      station.url =
        "\(scheme)://stream.\(slug)\(number % 400).\(country.code.lowercased())/\(slug)-\(station.bitRate)/\(ending)"
    }
    station.resolvedUrl = station.url
    if chance(85) {
      station.homepage =
        "\(scheme)://www.\(slug)\(number % 400).\(country.code.lowercased())/\(chance(30) ? "radio/live" : "")"
    }
  }
}
