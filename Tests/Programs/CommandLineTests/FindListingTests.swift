import Directory
import DirectorySupport
import Foundation
import Settings
import TestSupport
import Testing

@testable import bakelite

@Suite struct FindListingTests {
  private static func entry(
    _ name: String, tags: String = "jazz, news", votes: Int = 7, isAlive: Bool = true
  ) throws -> DirectoryEntry {
    var row = DirectoryRow()
    (row[.name], row[.url], row[.tags], row[.votes]) = (name, "http://a.example/live?key=1", tags, "\(votes)")
    (row[.countryCode], row[.codec], row[.bitRate], row[.isAlive]) = ("DE", "MP3", "128", isAlive ? "1" : "0")
    return try #require(DirectoryEntry(row))
  }

  @Test(
    "A table has one line per station, fits the terminal, and has no control characters (G1)",
    arguments: 1...200)
  func widths(_ width: Int) throws {
    let stations = try [
      Self.entry("Kitchen FM"), Self.entry("東京ラジオ放送局東京ラジオ放送局", tags: "音楽,ニュース,話"),
      Self.entry("a\u{1B}[31mb\u{202E}c\u{7}"),
      Self.entry(String(repeating: "Long ", count: 40), tags: String(repeating: "tag,", count: 30), votes: 123_456),
      Self.entry("Dead", isAlive: false), Self.entry("e\u{301}e\u{301}e\u{301} 👨‍👩‍👧"),
    ]
    let lines = FindListing.table(stations, width: width)
    #expect(lines.count == stations.count)
    for line in lines {
      #expect(TextColumns.count(line) <= width, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x202E })
    }
  }

  @Test("A table of 80 columns shows number, name, country, codec, votes and tags (G1)")
  func table() throws {
    let stations = try [Self.entry("Kitchen FM", votes: 1_234), Self.entry("東京", isAlive: false)]
    #expect(
      FindListing.table(stations, width: 80) == [
        "1  Kitchen FM  DE  MP3 128    1234  jazz, news", "2  東京        DE  no answer     7  jazz, news",
      ])
  }

  @Test("The copy is at the configured path if writable, else in the cache; an odd home is ignored (G2)")
  func places() {
    let folder = TemporaryFolder()
    func place(_ path: String, _ variables: [String: String]) -> DirectoryPlace {
      var settings = Configuration().directory
      settings.path = path
      return DirectoryPlace(settings) { variables[$0] }
    }
    let (there, gone) = (folder.path + "/directory", folder.path + "/gone/directory")
    let home = ["HOME": folder.path]
    #expect(place(there, home).written == there)
    #expect(place(gone, home).written == folder.path + "/.cache/bakelite/directory")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/.cache/bakelite"))
    #expect(
      place(gone, ["XDG_CACHE_HOME": folder.path + "/x", "HOME": "/h"]).written == folder.path + "/x/bakelite/directory"
    )
    #expect(
      place(gone, ["XDG_CACHE_HOME": "x", "HOME": folder.path]).written == folder.path + "/.cache/bakelite/directory")
    for odd in [[:], ["HOME": ""], ["HOME": "relative"]] { #expect(place(gone, odd).written == gone) }
    #expect(place(gone, [:]).clicks == nil)
  }

  @Test("An unwritable copy of the timer is reported with only the missing steps (G2)")
  func unwritable() {
    let state = InstalledPaths.state
    func words(_ path: String, _ isThere: Bool) -> String { FindUpdate.unwritable(path, isThere: isThere) }
    #expect(
      words(state + "/directory", false)
        == "The folder \(state) does not exist: start the radio once to create it.")
    #expect(words(state + "/directory", true) == "You may not write to the folder \(state): run the command with sudo.")
    #expect(
      words(state + "/a/directory", false)
        == "The folder \(state)/a does not exist: set [directory] path to a file in \(state).")
    for isThere in [false, true] {
      #expect(words("/srv/directory", isThere).hasSuffix("use a path below \(state), or set update_days = 0."))
    }
  }

  @Test("The newer copy is searched; a damaged one is reported only without another (G2)")
  func newer() throws {
    let (box, own) = (try FindRig { _ in [] }, try FindRig { _ in [] })
    var settings = Configuration().directory
    settings.path = box.path
    mkdir(own.folder.path + "/bakelite", 0o700)
    let place = DirectoryPlace(settings) { $0 == "XDG_CACHE_HOME" ? own.folder.path : nil }
    let cached = try #require(place.cached)
    try box.make(date: 100)
    try own.make(date: 200)
    rename(own.path, cached)
    #expect(try place.open().date == 200)
    try box.make(date: 300)
    #expect(try place.open().date == 300)
    box.folder.write([1, 2, 3], to: "directory")
    #expect(try place.open().date == 200)
    unlink(cached)
    #expect(throws: DirectoryPlace.Fault.self) { try place.open() }
  }

  @Test("doctor reports the copy's age and size, and the remedy for a damaged or old one (G2)")
  func doctor() throws {
    let rig = try FindRig { _ in [] }
    var settings = Configuration().directory
    settings.path = rig.path
    let now: Int64 = 1_800_000_000
    func finding() -> DoctorFinding { DoctorDirectory(settings: settings, now: now).finding }
    #expect(finding().verdict == .ok && finding().words.contains("There is no copy"))
    try rig.make(date: now - 21 * 86_400)
    #expect(finding().verdict == .ok && finding().words.contains("date 2026-12-25"), "\(finding().words)")
    try rig.make(date: now - 21 * 86_400 - 1)
    #expect(finding().verdict == .problem && finding().mend?.contains("sudo bakelite find --update") == true)
    settings.updateDays = 0
    #expect(finding().verdict == .ok && finding().words.contains("update_days = 0"))
    rig.folder.write([1, 2, 3], to: "directory")
    #expect(finding().verdict == .problem && finding().mend == "sudo bakelite find --update")
    let own = DoctorDirectory(settings: settings, config: "a b.toml", now: now).finding
    #expect(own.mend == "bakelite find --update --config 'a b.toml'")
    settings.path = InstalledPaths.directory + "x"
    #expect(
      DoctorDirectory(settings: settings, config: "config/try.toml", now: now).finding.words.hasSuffix(
        "; download it with: bakelite find --update --config config/try.toml"))
  }
}
