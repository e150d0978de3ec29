import Foundation
import Framing
import System
import Testing
import Units

@testable import Recordings

/// Names, cue sheets, and the start of a file.
@Suite struct RecordingTextTests {
  @Test(
    "A title becomes a name that every file system accepts",
    arguments: [
      ("AC/DC - T.N.T.", "AC_DC - T.N.T"), ("../../etc/passwd", "_.._etc_passwd"), (".hidden", "hidden"),
      ("", "untitled"), ("..", "untitled"), ("a\u{0}b\n\u{202E}c", "ab c"), ("What?: \"x\" <y>|*", "What__ _x_ _y___"),
      ("  - x ", "x"), ("Björk", "Björk"), ("C:\\x", "C__x"),
    ])
  func names(_ title: String, _ name: String) { #expect(FileName.safe(title) == name) }

  @Test(
    "A long name keeps its stamp",
    arguments: [
      "Kitchen", "", "..", "Artist - Song" + String(repeating: ".", count: 300), String(repeating: "局", count: 90),
    ])
  func stamped(_ title: String) {
    let stamps = ["2026-11-29 20.15.01", "2026-11-29 20.15.02"]
    let names = stamps.map { RecordingOrder.name(title, stamp: $0) }
    #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count <= 120 })
    #expect(zip(names, stamps).allSatisfy { $0.hasSuffix($1) })
  }

  @Test func aLongNameIsCutBetweenCharacters() {
    let name = FileName.safe(String(repeating: "ü", count: 300))
    #expect(name == String(repeating: "ü", count: 60))
  }

  @Test(
    "A name stays within its folder",
    arguments: [
      ("a.mp3", ["a.mp3"]), ("a/b.mp3", ["a", "b.mp3"]), ("/a", nil), ("", nil), ("a//b", nil), ("a/", nil),
      ("..", nil),
      ("../\u{301}a", nil), ("/\u{301}a", nil), ("a/\u{301}b", ["a", "\u{301}b"]),
      ("a/../b", nil), ("./a", nil), ("a\nb", nil), ("a\u{0}", nil), (".a", [".a"]),
    ] as [(String, [String]?)])
  func parts(_ name: String, _ parts: [String]?) { #expect(FileName.parts(name) == parts) }

  @Test(arguments: [("/a/b.mp3", "/a/b.cue"), ("b", "b.cue"), ("/a.b/c", "/a.b/c.cue"), ("/a/.b", "/a/.b.cue")])
  func theCueSheetLiesBeside(_ path: String, _ cue: String) { #expect(FileName.cue(path) == cue) }

  @Test func aCueSheetHasTitlesAndTimes() {
    var sheet = CueSheet()
    let title = Title(text: "A\" - B\r\nC", url: nil, artist: "A\"", track: "B\r\nC")
    let text =
      CueSheet.head(file: "x.mp3", station: "Radio \"1\"") + sheet.track(nil, station: "Radio 1", at: .zero)
      + sheet.track(title, station: "", at: StreamTime(seconds: 3_661.5))
      + sheet.track(title, station: "", at: StreamTime(seconds: 1))
    #expect(
      text == """
        REM COMMENT "Recorded by Bakelite"
        TITLE "Radio '1'"
        FILE "x.mp3" MP3
          TRACK 01 AUDIO
            TITLE "Radio 1"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "B C"
            PERFORMER "A'"
            INDEX 01 61:01:37
          TRACK 03 AUDIO
            TITLE "B C"
            PERFORMER "A'"
            INDEX 01 61:01:37

        """)
  }

  private static let twoTracks =
    CueSheet.head(file: "  TRACK ", station: "") + "  TRACK 01 AUDIO\n    TITLE \"  TRACK \"\n  TRACK 02 AUDIO\n  TRAC"

  @Test("A cue sheet's tracks are counted, wherever it is cut")
  func tracksAreCounted() {
    let bytes = Array(Self.twoTracks.utf8)
    for cut in 0...bytes.count {
      var counter = CueSheet.TrackCounter()
      counter.append(bytes[..<cut])
      counter.append(bytes[cut...])
      #expect(counter.count == 2)
    }
  }

  @Test(
    "A continued recording continues its track numbers; without a sheet it starts one",
    arguments: [(nil, true, "01"), (0, false, "01"), (9, false, "10")] as [(Int?, Bool, String)])
  func goesOn(_ trackCount: Int?, _ hasHead: Bool, _ number: String) {
    var (cues, existing) = (RecordingCues(), ExistingRecording(reading: -1))
    existing.cueTrackCount = trackCount
    let context = RecordingContext(epoch: 1, isPlaying: true, titles: TitleLog(), station: "A", position: .zero)
    cues.add(.zero, context, at: .zero, file: "a.mp3", after: existing)
    let text = cues.removeText()
    #expect(text.contains("FILE ") == hasHead && text.contains("  TRACK \(number) AUDIO\n"), "\(text)")
  }

  @Test("Appended text follows the last whole line, even after a power cut")
  func cueIsCutToLines() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (sheet, whole) = (folder.appending(path: "a.cue"), Self.twoTracks.dropLast("  TRAC".count))
    try Self.twoTracks.write(to: sheet, atomically: false, encoding: .utf8)
    let place = try RecordingPlace(path: folder.appending(path: "a.mp3").path)
    #expect(place.cueTrackCount == 2)
    let opened = place.openCue(appends: true) ?? Descriptor(-1)
    #expect(write(opened.raw, "  TRACK 03 AUDIO\n", 17) == 17)
    #expect(try String(contentsOf: sheet, encoding: .utf8) == whole + "  TRACK 03 AUDIO\n")
  }

  @Test(
    "A file that is not a cue sheet is neither read through nor changed",
    arguments: [("music", 0), ("FILE \"a\"\n", 1 << 36), (String(repeating: "TITLE ", count: 1_000), 0)])
  func noSheet(_ text: String, _ size: Int) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let sheet = folder.appending(path: "a.cue")
    try text.write(to: sheet, atomically: false, encoding: .utf8)
    if size > 0 { #expect(truncate(sheet.path, size) == 0) }
    let place = try RecordingPlace(path: folder.appending(path: "a.mp3").path)
    #expect(place.cueTrackCount == nil)
    let (going, anew) = (place.openCue(appends: true) != nil, place.openCue(appends: false) != nil)
    #expect(!going && !anew)
    #expect(try FileHandle(forReadingFrom: sheet).seekToEnd() == (size > 0 ? UInt64(size) : UInt64(text.utf8.count)))
  }

  @Test("A cue sheet whose header does not fit on the disk stays empty")
  func cueWithoutHead() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try RecordingTextTests.folder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = try RecordedFile(FileOrder(path: folder.appending(path: "a.mp3").path, floor: 0), .machine)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 10, rlim_max: .max)
      let setLimit = { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) }
      #expect(setLimit() == 0)
      let append = { (text: String) in Array(text.utf8).withUnsafeBytes { file.append(cue: $0) } }
      append(CueSheet.head(file: "a.mp3", station: ""))
      limit.rlim_cur = .max
      #expect(setLimit() == 0)
      append("  TRACK 02 AUDIO\n")
      #expect(try String(contentsOf: folder.appending(path: "a.cue"), encoding: .utf8) == "")
    }
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test("A cue sheet that cannot be opened at first is not started later")
  func cueIsTriedOnce() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))")
    let sheet = folder.appending(path: "a.cue")
    try FileManager.default.createDirectory(at: sheet, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try RecordedFile(FileOrder(path: folder.appending(path: "a.mp3").path, floor: 0), .machine)
    func append(_ text: String) { Array(text.utf8).withUnsafeBytes { file.append(cue: $0) } }
    append(CueSheet.head(file: "a.mp3", station: ""))
    try FileManager.default.removeItem(at: sheet)
    append("  TRACK 02 AUDIO\n")
    #expect(!FileManager.default.fileExists(atPath: sheet.path))
  }

  /// Packets of one second with 100 bytes of main data. `needs`: bytes that each packet needs from previous packets.
  private static func preroll(_ needs: [Int?]) -> BitReservoirPreroll {
    BitReservoirPreroll(
      needs.enumerated().map { index, need in
        var bytes = [UInt8](repeating: 0, count: 136)
        (bytes[1], bytes[4], bytes[5]) = (0xFB, UInt8((need ?? 0) >> 1), UInt8((need ?? 0) & 1) << 7)
        let main = MainData(bytes.span)
        return BitReservoirPreroll.Frame(
          start: StreamTime(seconds: Double(index)), duration: StreamTime(seconds: 1), main: need == nil ? nil : main)
      })
  }

  @Test(
    "A file starts with complete audio",
    arguments: [
      ([nil, nil, nil, nil], 2, 1, 1, 2), ([0, 5, 0, 5], 2, 1, 1, 2), ([0, 0, 5, 5], 2, 1, 1, 1),
      ([9, 9, 9, 0], 2, 1, 1, 3), ([9, 9, 9, 9], 2, 1, 1, 1), ([0, 9, 99, 150], 3, 1, 1, 1),
      ([9, 9, 9, 9], 0, 1, 1, 0),
      ([0, 9, 9, 9], 3, 9, 0, 0), ([9, 9, 511, 9], 2, 1, 0, 0), ([9, 9], 9, 9, 0, 0),
    ] as [([Int?], Double, Int, Int, Double)])
  func leadIn(_ needs: [Int?], _ border: Double, _ back: Int, _ forth: Int, _ start: Double) {
    let found = Self.preroll(needs).beginning(at: StreamTime(seconds: border), back: back, forth: forth)
    #expect(found == StreamTime(seconds: start))
    #expect(BitReservoirPreroll([]).beginning(at: .zero, back: 1, forth: 1) == nil)
  }
}
