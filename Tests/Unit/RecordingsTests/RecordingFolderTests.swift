import Foundation
import TestSupport
import Testing

@testable import Recordings

/// The recordings folder as clients see it (T4).
@Suite struct RecordingFolderTests {
  private let temporary = TemporaryFolder()
  private var folder: RecordingFolder { RecordingFolder(temporary.path) }

  /// Frames of MP3 with 128 kbit/s at 44,100 Hz, 26.1 ms each.
  private static func frames(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413) }
  }

  private func write(_ name: String, _ bytes: [UInt8] = [1], age: Double = 0) throws {
    let parent = (temporary.path + "/" + name as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let path = temporary.write(bytes, to: name)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000 - age)], ofItemAtPath: path)
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: temporary.path + "/" + name) }

  @Test("Recordings and kept songs are listed, newest first, with those in folders")
  func lists() throws {
    for (age, name) in ["b.mp3", "Evening/01 <b>a</b>.aac", "C.MP3", "d.flac", "Ö ü.mp3"].enumerated() {
      try write(name, [UInt8](repeating: 0, count: age), age: Double(age))
    }
    for name in ["b.cue", ".e.mp3", "notes.txt", "mp3", ".hidden/f.mp3", "g\nh.mp3", "i\u{202E}j.mp3", "k.mp3/l.txt"] {
      try write(name)
    }
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: temporary.path + "/m.mp3", withDestinationPath: "/etc/passwd")
    try manager.createSymbolicLink(atPath: temporary.path + "/n", withDestinationPath: temporary.path + "/Evening")
    try write("outside/o.txt")
    try manager.linkItem(atPath: temporary.path + "/outside/o.txt", toPath: temporary.path + "/o.mp3")
    #expect(mkfifo(temporary.path + "/p.mp3", 0o600) == 0)
    let listing = try folder.list()
    #expect(listing.entries.map(\.name) == ["b.mp3", "Evening/01 <b>a</b>.aac", "C.MP3", "d.flac", "Ö ü.mp3"])
    #expect(listing.entries.map(\.byteCount) == [0, 1, 2, 3, 4] && listing.entries[1].modified == 999_999)
    #expect(!listing.isCut && !listing.isMissing)
    #expect(try RecordingFolder(temporary.path + "/none").list().isMissing)
  }

  @Test("A list has at most 4,096 recordings, the newest")
  func bounds() throws {
    for number in 4..<4_100 { close(open(temporary.path + "/\(number).mp3", O_CREAT | O_WRONLY, 0o600)) }
    #expect(try folder.list().entries.count == 4_096 && !(try folder.list().isCut))
    for number in 0..<4 { try write("\(number).mp3") }
    let listing = try folder.list()
    #expect(listing.entries.count == 4_096 && listing.isCut)
    #expect(!listing.entries.contains { ["0.mp3", "1.mp3", "2.mp3", "3.mp3"].contains($0.name) })
  }

  @Test("Folders are visited down to eight levels")
  func depth() throws {
    let deep = (1...7).map { "\($0)" }.joined(separator: "/")
    try write(deep + "/a.mp3")
    try write(deep + "/8/b.mp3")
    let listing = try folder.list()
    #expect(listing.entries.map(\.name) == [deep + "/a.mp3"] && listing.isCut)
  }

  @Test(
    "A name outside the folder, or of another file, is refused",
    arguments: [
      "../a.mp3", "/etc/passwd", "x/../b.mp3", "", ".", "..", "b.mp3/", "x//b.mp3", "notes.txt", ".e.mp3", "b.cue",
      "link.mp3", "folder/b.mp3", "missing.mp3", "g\nh.mp3", "b.mp3\u{0}.mp3", "hard.mp3", "directory.mp3",
    ])
  func refuses(_ name: String) throws {
    for file in ["b.mp3", "x/b.mp3", "notes.txt", ".e.mp3", "b.cue", "g\nh.mp3", "directory.mp3/y"] { try write(file) }
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: temporary.path + "/link.mp3", withDestinationPath: temporary.path + "/b.mp3")
    try manager.createSymbolicLink(atPath: temporary.path + "/folder", withDestinationPath: temporary.path + "/x")
    try manager.linkItem(atPath: temporary.path + "/notes.txt", toPath: temporary.path + "/hard.mp3")
    let before = try manager.subpathsOfDirectory(atPath: temporary.path).sorted()
    #expect(throws: RecordingError.self) { _ = try folder.open(name) }
    #expect(throws: RecordingError.self) { try folder.remove(name) }
    #expect(throws: RecordingError.self) { try folder.rename(name, to: "new") }
    #expect(try manager.subpathsOfDirectory(atPath: temporary.path).sorted() == before)
  }

  @Test("A deletion includes the cue sheet, and an empty folder")
  func removes() throws {
    try write("Evening/a.mp3")
    try write("Evening/b.mp3")
    try write("Evening/b.cue", Array("REM COMMENT\n".utf8))
    try write("c.mp3")
    try write("c.cue", Array("no sheet".utf8))
    try folder.remove("Evening/b.mp3")
    #expect(exists("Evening/a.mp3") && !exists("Evening/b.mp3") && !exists("Evening/b.cue"))
    try folder.remove("Evening/a.mp3")
    #expect(!exists("Evening"))
    try folder.remove("c.mp3")
    #expect(exists("c.cue") && !exists("c.mp3"))
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: temporary.path + "/" + name, encoding: .utf8)
  }

  @Test(
    "A new name is cleaned, and the ending stays",
    arguments: [
      ("b", "b.mp3"), ("b.mp3", "b.mp3"), ("b.MP3", "b.mp3"), ("b.flac", "b.flac.mp3"), ("  .b: c?\n ", "b_ c_.mp3"),
      ("Ö \u{202E}ü", "Ö ü.mp3"), ("..\\b", "_b.mp3"),
      (String(repeating: "ä", count: 200), String(repeating: "ä", count: 60) + ".mp3"),
      ("a", "a.mp3"),
    ])
  func cleansNames(_ given: String, _ name: String) throws {
    try write("Evening/a.mp3", [7])
    #expect(try folder.rename("Evening/a.mp3", to: given) == "Evening/" + name)
    #expect(try folder.list().entries.map(\.name) == ["Evening/" + name])
  }

  @Test(
    "A new name that leaves the folder, is empty or taken changes nothing",
    arguments: ["", " ", ".", "..", "../b", "/b", "b/c", "./b", ".mp3", "taken", "sheet", "link", "\u{301}/b"])
  func refusesNames(_ name: String) throws {
    try write("a.mp3", [1])
    try write("a.cue", Array("FILE \"a.mp3\" MP3\n".utf8))
    try write("taken.mp3", [2])
    try write("sheet.cue", [3])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: temporary.path + "/link.mp3", withDestinationPath: "/none")
    let before = try manager.subpathsOfDirectory(atPath: temporary.path).sorted()
    #expect(throws: RecordingError.self) { try folder.rename("a.mp3", to: name) }
    #expect(try manager.subpathsOfDirectory(atPath: temporary.path).sorted() == before)
    #expect(try Data(contentsOf: URL(filePath: temporary.path + "/taken.mp3")) == Data([2]))
  }

  @Test("A cue sheet follows its recording with the new name, unless it names another recording")
  func renamesSheet() throws {
    let sheet = "TITLE \"FILE\"\nFILE \"%\" MP3\n  TRACK 01 AUDIO\n    TITLE \"a.mp3\"\n"
    try write("a.mp3")
    try write("a.cue", Array((sheet.replacing("%", with: "a.mp3") + "  TRA").utf8))
    try folder.rename("a.mp3", to: "b \"c\"")
    #expect(text("b _c_.cue") == sheet.replacing("%", with: "b _c_.mp3") + "  TRA" && !exists("a.cue"))
    try write("d.mp3")
    try write("d.aac")
    try write("d.cue", Array(sheet.replacing("%", with: "d.aac").utf8))
    try folder.rename("d.mp3", to: "e")
    #expect(exists("e.mp3") && exists("d.cue") && !exists("e.cue"))
    try write("f.mp3")
    try write("f.cue", Array("REM COMMENT\n".utf8))
    try folder.rename("f.mp3", to: "g")
    #expect(text("g.cue") == "REM COMMENT\n" && !exists("f.cue"))
    try write("h.mp3")
    try write("h.cue", Array("no sheet".utf8))
    try folder.rename("h.mp3", to: "i")
    #expect(exists("i.mp3") && exists("h.cue") && !exists("i.cue"))
  }

  @Test("A renamed cue sheet has the owner and mode of the first one")
  func sheetMode() throws {
    try write("a.mp3")
    try write("a.cue", Array("FILE \"a.mp3\" MP3\n".utf8))
    #expect(chmod(temporary.path + "/a.cue", 0o600) == 0)
    if geteuid() == 0 { #expect(chown(temporary.path + "/a.cue", 1, 2) == 0) }
    try folder.rename("a.mp3", to: "b")
    var facts = stat()
    #expect(stat(temporary.path + "/b.cue", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    if geteuid() == 0 { #expect(facts.st_uid == 1 && facts.st_gid == 2) }
  }

  @Test("A cue sheet that names another recording survives a deletion and a new recording")
  func foreignSheet() throws {
    for name in ["a.mp3", "a.aac", "b.mp3"] { try write(name) }
    try write("a.cue", Array("FILE \"a.aac\" WAVE\n  TRACK 01 AUDIO\n".utf8))
    let place = try RecordingPlace("a.mp3", within: temporary.path)
    let opened = place.openCue(appends: false) != nil
    #expect(!opened && place.cueTrackCount == nil)
    try folder.remove("a.mp3")
    #expect(!exists("a.mp3") && text("a.cue")?.contains("a.aac") == true)
    // A name in another folder, or without a file, does not count.
    try write("b.cue", Array("FILE \"../a.aac\" WAVE\n".utf8))
    try folder.remove("b.mp3")
    #expect(!exists("b.cue"))
  }

  @Test("A recording in progress is marked, and stays")
  func growing() throws {
    try write("a.mp3", Self.frames(100))
    let place = try RecordingPlace("a.mp3", within: temporary.path)
    do {
      let file = try place.openFile(isNew: false)
      #expect(folder.details(of: try folder.list().entries[0]).isGrowing)
      #expect(throws: RecordingError.growing("a.mp3")) { try folder.remove("a.mp3") }
      #expect(throws: RecordingError.growing("a.mp3")) { try folder.rename("a.mp3", to: "b") }
      _ = try folder.open("a.mp3")
      withExtendedLifetime(file.raw) {}
    }
    let details = folder.details(of: try folder.list().entries[0])
    #expect(!details.isGrowing && abs((details.seconds ?? 0) - 2.612) < 0.01)
    try folder.remove("a.mp3")
    #expect(!exists("a.mp3"))
  }

  @Test("A file without packets has no duration")
  func noDuration() throws {
    try write("a.mp3", Array("<!doctype html>".utf8))
    try write("b.mp3", [])
    #expect(try folder.list().entries.map { folder.details(of: $0).seconds } == [nil, nil])
  }
}
