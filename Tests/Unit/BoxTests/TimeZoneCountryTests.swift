import Foundation
import SeededRandom
import Testing

@testable import Box

@Suite struct TimeZoneCountryTests {
  private static let table = """
    # tzdb timezone descriptions
    #codes\tcoordinates\tTZ\tcomments
    AT\t+4813+01620\tEurope/Vienna
    DE\t+5230+01322\tEurope/Berlin\tmost of Germany
    GB,GG,IM,JE\t+513030-0000731\tEurope/London
    de\t+1+1\tLower/Case
    D\t+1+1\tToo/Short
    \t+1+1\tNo/Code
    FR\t+4852+00220
    DK\t+5540+01235\tEurope/Copenhagen
    SE\t+1+1\tEurope/Copenhagen
    """

  private static func box(_ localtime: String? = nil, timezone: String? = nil) throws -> TimeZoneCountry {
    let folder = NSTemporaryDirectory() + "/bakelite-\(UUID().uuidString)"
    let files = FileManager.default
    try files.createDirectory(atPath: folder + "/etc", withIntermediateDirectories: true)
    try files.createDirectory(atPath: folder + "/usr/share/zoneinfo", withIntermediateDirectories: true)
    _ = files.createFile(atPath: folder + "/usr/share/zoneinfo/zone.tab", contents: Data(table.utf8))
    _ = files.createFile(
      atPath: folder + "/usr/share/zoneinfo/zone1970.tab", contents: Data("JP,AU\t+1+1\tAsia/Tokyo\n".utf8))
    if let localtime {
      try files.createSymbolicLink(atPath: folder + "/etc/localtime", withDestinationPath: localtime)
    }
    if let timezone { _ = files.createFile(atPath: folder + "/etc/timezone", contents: Data(timezone.utf8)) }
    return TimeZoneCountry(root: folder)
  }

  @Test(
    "A zone's country is the first of its first row (G3)",
    arguments: [
      ("Europe/Berlin", "DE"), ("Europe/Vienna", "AT"), ("Europe/London", "GB"), ("Europe/Copenhagen", "DK"),
      ("Asia/Tokyo", "JP"), ("UTC", nil), ("Etc/UTC", nil), ("europe/berlin", nil), ("Europe", nil), ("TZ", nil),
      ("Lower/Case", nil), ("Too/Short", nil), ("No/Code", nil), ("coordinates", nil), ("../Europe/Berlin", nil),
      (String(repeating: "a", count: 300), nil),
    ])
  func codes(_ zone: String, _ code: String?) throws {
    #expect(try Self.box().code(of: zone) == code)
  }

  @Test("An older name of a zone has the country of the zone that it links to; other links have none")
  func links() throws {
    let folder = NSTemporaryDirectory() + "/bakelite-\(UUID().uuidString)"
    let (files, zones) = (FileManager.default, folder + "/usr/share/zoneinfo")
    try files.createDirectory(atPath: zones + "/Asia", withIntermediateDirectories: true)
    _ = files.createFile(atPath: zones + "/zone.tab", contents: Data("IN\t+2232+08822\tAsia/Kolkata\n".utf8))
    _ = files.createFile(atPath: zones + "/Asia/Kolkata", contents: Data())
    _ = files.createFile(atPath: folder + "/outside", contents: Data())
    try files.createSymbolicLink(atPath: zones + "/Asia/Calcutta", withDestinationPath: "Kolkata")
    try files.createSymbolicLink(atPath: zones + "/India", withDestinationPath: "Asia/Calcutta")
    try files.createSymbolicLink(atPath: zones + "/Out", withDestinationPath: folder + "/outside")
    let country = TimeZoneCountry(root: folder)
    for (zone, code) in [
      ("Asia/Kolkata", "IN"), ("Asia/Calcutta", "IN"), ("India", "IN"), ("Out", nil), ("../../../outside", nil),
      ("Asia", nil), ("Asia/Nowhere", nil),
    ] as [(String, String?)] { #expect(country.code(of: zone) == code, "\(zone)") }
  }

  @Test(
    "Without a configured zone the machine's is used (G3)",
    arguments: [
      ("/usr/share/zoneinfo/Europe/Berlin", nil, "DE"), ("../usr/share/zoneinfo/Europe/Vienna", "Asia/Tokyo\n", "AT"),
      (nil, "Asia/Tokyo\n", "JP"), (nil, "Asia/Tokyo", "JP"), ("/etc/elsewhere", "Europe/London\n", "GB"),
      ("/usr/share/zoneinfo/Etc/UTC", nil, nil), (nil, "", nil), (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func machine(_ localtime: String?, _ timezone: String?, _ code: String?) throws {
    #expect(try Self.box(localtime, timezone: timezone).code(of: "") == code)
  }

  @Test("Missing, cut or wrong tables give no country (G3)")
  func hostile() {
    #expect(TimeZoneCountry(root: "/nowhere").code(of: "Europe/Berlin") == nil)
    let table = Array(Self.table.utf8)
    for end in 0...table.count {
      let code = TimeZoneCountry.code(of: "Europe/Berlin", in: Array(table[..<end]))
      #expect(code == nil || code == "DE")
    }
    var random = SeededGenerator(1)
    for _ in 0..<200 {
      let known: [UInt8] = [UInt8(ascii: "\t"), 10, 65, 0, 255]
      let bytes = (0..<300).map { _ in known.randomElement(using: &random) ?? 0 }
      #expect(TimeZoneCountry.code(of: "A", in: bytes) != "")
    }
  }

  @Test("This machine knows the countries of its zones (G3)", arguments: [("Europe/Berlin", "DE"), ("UTC", nil)])
  func real(_ zone: String, _ code: String?) {
    guard FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/zone.tab") else { return }
    #expect(TimeZoneCountry().code(of: zone) == code)
  }
}
