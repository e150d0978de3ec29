import Foundation
import SeededRandom
import Testing
import Units

@testable import Alarms

/// The rules of time zones, compared with those of zdump(8).
struct ZoneTests {
  private static let folder = "/usr/share/zoneinfo/"

  private static func bytes(_ zone: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder + zone)))
  }

  private static func rules(_ zone: String) throws -> ZoneRules { try ZoneRules(bytes(zone)) }

  /// The names of all zones, without those that count leap seconds.
  private static func zones() throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return paths.sorted().filter { path in
      guard !path.hasPrefix("right/"), ZoneName.isValid(path) else { return false }
      return (try? bytes(path).starts(with: "TZif".utf8)) == true
    }
  }

  /// Returns the output of zdump for several zones.
  private static func dump(_ zones: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/zdump")
    process.arguments = ["-v", "-c", "1970,2050"] + zones
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the moment and the offset of a line such as "Europe/Berlin  Sun Apr 30 22:00:00 1916 UT = Mon May  1
  /// 00:00:00 1916 CEST isdst=1 gmtoff=7200"; nil for a line without a moment.
  private static func parse(_ line: Substring) -> (zone: String, moment: Int64, offset: Int)? {
    let words = line.split(separator: " ")
    guard words.count > 7, words[6] == "UT", let offset = line.split(separator: "=").last.flatMap({ Int($0) }) else {
      return nil
    }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let clock = words[4].split(separator: ":").compactMap { Int64($0) }
    guard let month = months.firstIndex(of: String(words[2])), let day = Int(words[3]), let year = Int(words[5]),
      clock.count == 3
    else { return nil }
    let moment = CalendarDay(year, month + 1, day).seconds + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    return (String(words[0]), moment, offset)
  }

  @Test("The offsets of all zones equal those of zdump around each change from 1970 to 2050")
  func all() throws {
    let zones = try Self.zones()
    #expect(zones.count > 300)
    var (count, wrong): (Int, [String]) = (0, [])
    for start in stride(from: 0, to: zones.count, by: 100) {
      let names = Array(zones[start..<min(zones.count, start + 100)])
      let rules = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Self.rules($0)) })
      for line in try Self.dump(names).split(separator: "\n") {
        guard let (zone, moment, offset) = Self.parse(line), let rules = rules[zone] else { continue }
        count += 1
        if rules.offset(at: moment) != offset { wrong.append("\(line)") }
      }
    }
    #expect(count > 20_000 && wrong.isEmpty, "\(count) moments, \(wrong.count) wrong: \(wrong.prefix(3))")
  }

  @Test(
    "A skipped local time is the end of the gap; a time that occurs twice is the first",
    arguments: [
      // Skipped: the clock jumps from 02:00 to 03:00.
      ("Europe/Berlin", CalendarDay(2027, 3, 28), 2, 30, CalendarDay(2027, 3, 28).seconds + 3_600),
      ("Europe/Berlin", CalendarDay(2027, 3, 28), 3, 0, CalendarDay(2027, 3, 28).seconds + 3_600),
      ("Europe/Berlin", CalendarDay(2027, 3, 28), 1, 59, CalendarDay(2027, 3, 28).seconds + 3_540),
      // Twice: the clock goes from 03:00 back to 02:00.
      ("Europe/Berlin", CalendarDay(2027, 10, 31), 2, 30, CalendarDay(2027, 10, 31).seconds + 1_800),
      ("Europe/Berlin", CalendarDay(2027, 10, 31), 3, 0, CalendarDay(2027, 10, 31).seconds + 7_200),
      ("America/New_York", CalendarDay(2027, 3, 14), 2, 15, CalendarDay(2027, 3, 14).seconds + 7 * 3_600),
      ("America/New_York", CalendarDay(2027, 11, 7), 1, 15, CalendarDay(2027, 11, 7).seconds + 5 * 3_600 + 900),
      // Half an hour.
      ("Australia/Lord_Howe", CalendarDay(2027, 10, 3), 2, 15, CalendarDay(2027, 10, 2).seconds + 55_800),
      // A day that never was.
      ("Pacific/Apia", CalendarDay(2011, 12, 30), 12, 0, CalendarDay(2011, 12, 30).seconds + 36_000),
      ("Asia/Kathmandu", CalendarDay(2027, 6, 1), 6, 30, CalendarDay(2027, 6, 1).seconds + 2_700),
    ] as [(String, CalendarDay, Int, Int, Int64)])
  func gaps(zone: String, day: CalendarDay, hour: Int, minute: Int, moment: Int64) throws {
    #expect(try Self.rules(zone).moment(of: day, hour: hour, minute: minute) == moment)
  }

  @Test("The moment of a local time shows that time, and no earlier moment does, unless the zone skips the time")
  func inverse() throws {
    var chance = SeededGenerator(52)
    let zones = try Self.zones()
    for _ in 0..<20_000 {
      let zone = zones.randomElement(using: &chance) ?? "UTC"
      let rules = try Self.rules(zone)
      let day = CalendarDay(number: Int.random(in: -20_000...40_000, using: &chance))
      let (hour, minute) = (Int.random(in: 0...23, using: &chance), Int.random(in: 0...59, using: &chance))
      let moment = rules.moment(of: day, hour: hour, minute: minute)
      let local = rules.local(at: moment)
      let wanted = day.seconds + Int64(hour * 3_600 + minute * 60)
      let shown = local.day.seconds + Int64(local.secondOfDay)
      if shown == wanted {
        // An earlier moment shows the same time only with another offset.
        let earlier = Set((1...26).map { rules.offset(at: moment - $0 * 3_600) }).map { wanted - Int64($0) }
        #expect(
          earlier.allSatisfy { $0 >= moment || rules.offset(at: $0) != Int(wanted - $0) },
          "\(zone) \(day.number) \(hour):\(minute)")
      } else {
        // The end of a gap: a second earlier, the clock showed a time before the wanted one.
        let before = rules.local(at: moment - 1)
        #expect(shown > wanted && before.day.seconds + Int64(before.secondOfDay) < wanted, "\(zone) \(day.number)")
      }
    }
  }

  @Test("Damaged files are an error or a zone, and never a crash")
  func damaged() throws {
    var chance = SeededGenerator(7)
    for zone in ["Europe/Berlin", "Africa/Casablanca", "Asia/Gaza"] {
      let whole = try Self.bytes(zone)
      for count in 0..<whole.count { #expect(throws: ZoneError.self) { try ZoneRules(Array(whole.prefix(count))) } }
      for _ in 0..<10_000 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
          bytes[Int.random(in: bytes.indices, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
        }
        guard let rules = try? ZoneRules(bytes) else { continue }
        for moment in [.min, -1, 0, 2_000_000_000, Int64.max] { _ = rules.local(at: moment) }
        _ = rules.moment(of: CalendarDay(number: 20_000), hour: 2, minute: 30)
      }
    }
  }

  @Test("Names that could lead out of the folder of zones are refused")
  func names() {
    for name in ["Europe/Berlin", "Etc/GMT+5", "EST5EDT", "America/Argentina/Buenos_Aires"] {
      #expect(ZoneName.isValid(name))
    }
    for name in ["", "/etc/passwd", "../etc", "Europe/", "a//b", "a b", "é", String(repeating: "a", count: 65)] {
      #expect(!ZoneName.isValid(name))
    }
  }
}
