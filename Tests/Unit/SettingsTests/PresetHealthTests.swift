import Foundation
import TestSupport
import Testing
import Units

@testable import Settings

/// Counted failures of presets, and their storage.
@Suite("Preset health")
struct PresetHealthTests {
  private static let url: StationAddress = "http://a.example/stream?token=geheim"
  /// Noon of a day, in seconds.
  private static let noon: Int64 = 20_000 * 86_400 + 43_200
  private static let hour: Int64 = 3_600
  private static let day: Int64 = 86_400
  private static let question = PresetRecord.Question(url: "http://b.example/", name: "A", directoryID: "id")

  /// The record after failures at these seconds after noon.
  private func failed(_ moments: Int64...) -> PresetRecord {
    var health = PresetHealth()
    for moment in moments { health.recordFailure(of: Self.url, .gone, at: Self.noon + moment) }
    return health[Self.url] ?? PresetRecord(key: 0)
  }

  static let series: [(moments: [Int64], isFailing: Bool)] = [
    ([0, day, 2 * day], true),
    // Skipped days do not count.
    ([0, day, 30 * day], true), ([0, 2 * day], false),
    // Three tries on one day, then on two days.
    ([0, 1, 2], false), ([0, day, day + 1], false), ([0, day, day + 1, day + 2], false),
    // Failures around two midnights, in little more than a day; then at eight, seven and six o'clock.
    ([11 * hour, 13 * hour, 36 * hour + 1], false), ([8 * hour, day + 7 * hour, 2 * day + 6 * hour], true),
    ([0, day, 2 * day - 6 * hour], true), ([0, day, 2 * day - 6 * hour - 1], false),
  ]

  @Test("A preset fails for three days after three failures on three days (G5)", arguments: series)
  func threeDays(_ moments: [Int64], _ isFailing: Bool) {
    var health = PresetHealth()
    for moment in moments { health.recordFailure(of: Self.url, .gone, at: Self.noon + moment) }
    #expect(health[Self.url]?.isFailing(forDays: 3) == isFailing)
  }

  @Test("One day needs three failures too, and ten days need ten (G5)")
  func otherDays() {
    #expect(!failed(0, 1).isFailing(forDays: 1) && failed(0, 1, 2).isFailing(forDays: 1))
    var health = PresetHealth()
    for day in 0..<10 as Range<Int64> {
      #expect(health[Self.url]?.isFailing(forDays: 10) != true)
      health.recordFailure(of: Self.url, .silent, at: Self.noon + day * Self.day)
    }
    #expect(health[Self.url]?.isFailing(forDays: 10) == true && health[Self.url]?.isFailing(forDays: 11) == false)
    #expect(health[Self.url]?.isFailing(forDays: .max) == false)
  }

  @Test("A success ends the series and its question (G5)")
  func success() {
    var health = PresetHealth()
    for day in 0...2 as ClosedRange<Int64> { health.recordFailure(of: Self.url, .gone, at: Self.noon + day * Self.day) }
    health.ask(Self.question, of: Self.url, at: Self.noon)
    health.recordLookUp(of: Self.url, at: Self.noon)
    health.recordSuccess(of: Self.url, at: Self.noon + 2 * Self.day + 1)
    let record = health[Self.url]
    #expect(record?.failures == nil && record?.question == nil && record?.lookedUp == nil)
    #expect(record?.lastSuccess == Self.noon + 2 * Self.day + 1)
    health.recordSuccess(of: Self.url, at: Self.noon + 2 * Self.day + 60)
    #expect(health[Self.url] == record)
    health.recordSuccess(of: Self.url, at: Self.noon + 3 * Self.day)
    #expect(health[Self.url]?.lastSuccess == Self.noon + 3 * Self.day)
  }

  @Test("Failures within an hour count up to three, so that a night is not written each minute (G5)")
  func hourly() {
    var health = PresetHealth()
    var versions: Set<[UInt8]> = []
    for minute in 0..<600 as Range<Int64> {
      health.recordFailure(of: Self.url, .silent, at: Self.noon + minute * 60)
      versions.insert(Array(health.fileText.utf8))
    }
    #expect(health[Self.url]?.failures?.tries == 3 + 9 && versions.count == 12)
  }

  @Test("A clock set back restarts the series, and allows a look-up (G5)")
  func setBack() {
    var health = PresetHealth()
    for day in 100...102 as ClosedRange<Int64> {
      health.recordFailure(of: Self.url, .gone, at: Self.noon + day * Self.day)
    }
    health.recordLookUp(of: Self.url, at: Self.noon + 102 * Self.day)
    health.recordFailure(of: Self.url, .gone, at: Self.noon)
    #expect(health[Self.url]?.failures == PresetRecord.Failures(first: Self.noon, last: Self.noon, cause: .gone))
    for day in 1...2 as ClosedRange<Int64> { health.recordFailure(of: Self.url, .gone, at: Self.noon + day * Self.day) }
    #expect(health[Self.url]?.isDue(afterDays: 3, at: Self.noon + 2 * Self.day) == true)
  }

  @Test("A preset is looked up once a day, and not during a question (G5)")
  func due() {
    var health = PresetHealth()
    for day in 0...2 as ClosedRange<Int64> { health.recordFailure(of: Self.url, .gone, at: Self.noon + day * Self.day) }
    let now = Self.noon + 2 * Self.day
    #expect(health[Self.url]?.isDue(afterDays: 3, at: now) == true)
    health.recordLookUp(of: Self.url, at: now)
    for (later, isDue) in [(0, false), (20 * Self.hour, false), (20 * Self.hour + 1, true)] as [(Int64, Bool)] {
      #expect(health[Self.url]?.isDue(afterDays: 3, at: now + later) == isDue)
    }
    health.ask(Self.question, of: Self.url, at: now)
    #expect(health[Self.url]?.isDue(afterDays: 3, at: now + 7 * Self.day) == false)
    #expect(health[Self.url]?.isDue(afterDays: 3, at: now + 7 * Self.day + 1) == true, "nobody answered for a week")
    #expect(health[Self.url]?.isDue(afterDays: 3, isAnswered: true, at: now + Self.day) == true, "the box may answer")
    health.refuse(Self.url)
    #expect(health[Self.url]?.isDue(afterDays: 3, at: now + Self.day) == true)
    #expect(health[Self.url]?.hasRefused("http://b.example/") == true && health[Self.url]?.question == nil)
  }

  @Test("An address that no longer plays is not asked about (G5)")
  func silent() {
    var health = PresetHealth()
    health.ask(Self.question, of: Self.url, at: Self.noon)
    health.recordLookUp(of: Self.url, at: Self.noon + 8 * Self.day)
    #expect(health[Self.url]?.question == nil && health[Self.url]?.lookedUp == Self.noon + 8 * Self.day)
  }

  @Test("The last eight refused addresses stay refused (G5)")
  func refused() {
    var health = PresetHealth()
    for number in 0..<10 {
      health.ask(.init(url: StationAddress("http://\(number)/"), name: "", directoryID: ""), of: Self.url, at: 0)
      health.refuse(Self.url)
      health.refuse(Self.url)
    }
    let record = health[Self.url]
    #expect(
      (0..<10).map { record?.hasRefused(StationAddress("http://\($0)/")) == true } == [false, false]
        + Array(repeating: true, count: 8))
  }

  @Test("A moved preset is known under its new address, with its refusals (G5)")
  func moved() {
    var health = PresetHealth()
    health.ask(Self.question, of: Self.url, at: Self.noon)
    health.refuse(Self.url)
    health.recordFailure(of: "http://c.example/", .gone, at: Self.noon)
    health.move(Self.url, to: "http://c.example/", directoryID: "id", homepage: "http://a.example")
    #expect(health[Self.url] == nil && health.records.count == 1)
    let record = health["http://c.example/"]
    #expect(record?.hasRefused("http://b.example/") == true && record?.failures == nil)
    #expect(record?.directoryID == "id" && record?.homepage == "http://a.example")
    health.move("http://c.example/", to: "http://b.example/", directoryID: "id", homepage: "http://evil.example")
    #expect(health["http://b.example/"]?.refused == [])
    #expect(health["http://b.example/"]?.homepage == "http://a.example", "what was known first stays")
    health.move("http://b.example/", to: "http://d.example/", directoryID: "id", homepage: nil)
    #expect(health["http://d.example/"]?.homepage == "http://a.example")
    health.move("http://unknown.example/", to: "http://e.example/", directoryID: "id", homepage: nil)
    #expect(health["http://e.example/"]?.directoryID == nil, "else it would never be looked up")
  }

  /// A record with every kind of content.
  private var full: PresetHealth {
    var health = PresetHealth()
    health.recordSuccess(of: "http://one/", at: Self.noon)
    health.identify("http://one/", directoryID: "960cf833-0601-11e8-ae97-52543be04c81", homepage: "https://one=1/ü")
    for (place, cause) in PresetRecord.Cause.allCases.enumerated() {
      health.recordFailure(of: StationAddress("http://\(place)/"), cause, at: Self.noon + Int64(place))
    }
    health.ask(Self.question, of: "http://one/", at: 0)
    health.refuse("http://one/")
    health.ask(.init(url: "http://b/?x=1", name: "A\nB", directoryID: "id"), of: "http://one/", at: Self.noon)
    return health
  }

  @Test("The list survives unchanged, without secrets of addresses (G5)")
  func roundTrip() {
    var expected = full
    expected.ask(.init(url: "http://b/?x=1", name: "AB", directoryID: "id"), of: "http://one/", at: Self.noon)
    #expect(PresetHealth(Array(full.fileText.utf8)) == expected)
    #expect(!failedText.contains("geheim"))
  }

  private var failedText: String {
    var health = PresetHealth()
    health.recordFailure(of: Self.url, .gone, at: Self.noon)
    return health.fileText
  }

  @Test("A file with one wrong byte, or truncated, is refused (G5)")
  func damage() {
    let bytes = Array(full.fileText.utf8)
    for place in bytes.indices {
      var wrong = bytes
      wrong[place] ^= 0x01
      #expect(PresetHealth(wrong) == nil)
      #expect(PresetHealth(Array(bytes[..<place])) == nil)
    }
  }

  @Test(
    "An impossible line is refused, whatever its checksum (G5)",
    arguments: [
      "good=1", "preset=", "preset=xyz", "preset=1\ngood=-1", "preset=1\ngood=253402300800", "preset=1\nbad=1 2 3 4",
      "preset=1\nbad=2 1 1 1 gone", "preset=1\nbad=1 2 0 1 gone", "preset=1\nbad=1 2 1 1000 gone",
      "preset=1\nbad=1 2 1 1 bored", "preset=1\nlooked=x",
    ])
  func impossible(_ lines: String) {
    let text = CheckedText.text("bakelite-presets 1", lines.split(separator: "\n").map(String.init))
    #expect(PresetHealth(Array(text.utf8)) == nil)
  }

  @Test("The last 300 presets are stored, in a readable file for any texts (G5)")
  func bounds() {
    var health = PresetHealth()
    let long = String(repeating: "e\u{301}\u{302}", count: 100_000)
    for number in 0..<400 {
      let url = StationAddress("http://\(number)/")
      health.identify(url, directoryID: long, homepage: long)
      let new = "http://b/" + String(repeating: "x", count: number == 399 ? 992 : 991)
      health.ask(.init(url: StationAddress(new), name: long, directoryID: long), of: url, at: 0)
      for day in 0..<1_100 as Range<Int64> where number > 397 {
        health.recordFailure(of: url, .noStation, at: Self.noon + day * Self.day)
      }
    }
    #expect(
      health.records.count == PresetHealth.maxCount && health["http://99/"] == nil && health["http://100/"] != nil)
    #expect(health["http://398/"]?.question != nil && health["http://399/"]?.question == nil)
    #expect(health["http://399/"]?.failures?.tries == 999 && health["http://399/"]?.failures?.days == 999)
    #expect(health.fileText.utf8.count < 2 << 20)
    #expect(PresetHealth(Array(health.fileText.utf8)) == health)
  }

  @Test("A damaged file is set aside, and restarts empty (G5)")
  func file() throws {
    let folder = TemporaryFolder()
    let file = PresetHealthFile(folder: folder.path)
    #expect(file.load().content == nil && file.load().problem == nil)
    try file.save(full)
    #expect(
      file.peek() == file.load().content && file.load().problem == nil
        && file.load().content?.records.count == full.records.count)
    folder.write(Array("nonsense".utf8), to: "presets")
    #expect(file.peek() == nil)
    let (health, problem) = file.load()
    #expect(health == nil)
    #expect(
      problem?.description
        == "\(file.path): its record of the presets is damaged; it is kept as \(file.path).broken, and "
        + "failures are counted from zero.")
  }
}
