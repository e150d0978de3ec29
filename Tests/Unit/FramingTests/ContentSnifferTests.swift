import Framing
import SeededRandom
import Testing

struct ContentSnifferTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var head: [UInt8]
    var isWhole = true
    var type: String?
    var path: String?
    var kind: ContentKind?
    var line = #line
    var testDescription: String { "line \(line)" }

    var result: ContentKind? { ContentSniffer.sniff(head.span, isWhole: isWhole, contentType: type, path: path) }
  }

  static let mp3 = PacketFramerTests.mp3.flatMap { $0 }
  static let aac = PacketFramerTests.aac.flatMap { $0 }

  /// A WAV header with a format tag, and the header of its samples.
  private static func wave(_ format: Int, byteCount: Int = 16) -> [UInt8] {
    let rest = [UInt8](repeating: 0, count: byteCount - 2)
    return WavBuild.head(WavBuild.little(format, 2) + rest) + Array("data".utf8) + WavBuild.little(9_000, 4)
  }

  static let audio: [Row] = [
    Row(head: mp3, isWhole: false, type: "audio/aac", kind: .audio),
    Row(head: aac, isWhole: false, type: "audio/mpeg", kind: .audio),
    Row(head: mp3, isWhole: false, type: "text/html; charset=utf-8", path: "/x.m3u", kind: .audio),
    Row(head: Array(mp3[50...]), isWhole: false, type: "text/html", kind: .audio),
    Row(head: Array(mp3[50...]), isWhole: false, type: "audio/ogg", path: "/x.ogg", kind: .audio),
    Row(head: Array(mp3[50..<250]), isWhole: false, type: "audio/mpeg", kind: .audio),
    Row(head: Array(mp3[50..<250]), isWhole: false, kind: .audio),
    Row(head: Array(mp3[50..<250]), isWhole: false, type: "application/octet-stream", kind: .audio),
    Row(head: Array(mp3[50..<250]), isWhole: false, type: "text/html", kind: nil),
    Row(head: Array(mp3[50..<250]), type: "text/html", kind: .unknown),
    Row(head: Array(mp3[50..<250]), isWhole: false, type: "audio/ogg", kind: nil),
    Row(head: Array(mp3[50..<250]), type: "audio/ogg", kind: .container(.ogg)),
    Row(head: Array(mp3[50..<250]), path: "http://h/a.flac?x=.mp3", kind: .container(.flac)),
    Row(head: Array(mp3[50..<250]), type: "audio/x-scpls", kind: .audio),
    Row(head: Build.mpeg(), kind: .audio),
    Row(head: Array(Build.id3([UInt8](repeating: 0, count: 40_000)).prefix(300)), isWhole: false, kind: .audio),
    Row(head: Build.id3([1, 2, 3]) + mp3, isWhole: false, type: "text/plain", kind: .audio),
    Row(head: Build.id3([UInt8](repeating: 1, count: 20)), isWhole: false, kind: .audio),
    Row(head: [], kind: .empty),
    Row(head: [], isWhole: false, kind: nil),
    Row(head: Array(mp3.prefix(15)), isWhole: false, kind: nil),
  ]

  static let binary: [Row] = [
    Row(head: "OggS".padded, isWhole: false, type: "audio/mpeg", kind: .container(.ogg)),
    Row(head: "fLaC".padded, isWhole: false, kind: .container(.flac)),
    Row(head: Build.id3([1, 2, 3]) + "fLaC".padded, isWhole: false, type: "audio/mpeg", kind: .container(.flac)),
    Row(head: "\0\0\0\u{18}ftypmp42".padded, isWhole: false, kind: .refused(.m4a)),
    Row(head: "RIFF\u{1}\0\0\0WAVEfmt ".padded, isWhole: false, kind: .container(.wav)),
    Row(head: "RF64\u{1}\0\0\0WAVEds64".padded, isWhole: false, kind: .container(.wav)),
    Row(head: wave(0x55) + mp3, isWhole: false, type: "audio/wav", path: "/x.wav", kind: .audio),
    Row(head: wave(0x50) + mp3, isWhole: false, kind: .audio),
    Row(head: wave(0x55, byteCount: 30), isWhole: false, kind: .audio),
    Row(head: wave(0xFF) + aac, isWhole: false, kind: .audio),
    Row(head: wave(0x1600) + aac, isWhole: false, kind: .audio),
    Row(head: wave(0xFF) + [UInt8](repeating: 0x21, count: 100), isWhole: false, kind: .container(.wav)),
    Row(head: wave(1) + mp3, isWhole: false, kind: .container(.wav)),
    Row(head: Array(wave(0x55).prefix(21)), isWhole: false, kind: nil),
    Row(head: Array(wave(0x55).prefix(21)), kind: .container(.wav)),
    Row(head: Array(mp3[50..<250]), type: "audio/wav", kind: .refused(.wav)),
    Row(head: "MPCK".padded, isWhole: false, kind: .refused(.musepack)),
    Row(
      head: [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11] + "".padded, isWhole: false, type: "audio/wav",
      kind: .refused(.wave64)),
    Row(head: "caff\0\u{1}".padded, isWhole: false, type: "audio/wav", kind: .refused(.coreAudio)),
    Row(head: ".snd\0\0\0\u{20}".padded, isWhole: false, type: "audio/wav", kind: .refused(.sun)),
    Row(head: "Creative Voice File\u{1A}".padded, isWhole: false, type: "audio/wav", kind: .refused(.creativeVoice)),
    Row(head: "NIST_1A\n   1024".padded, isWhole: false, type: "audio/wav", kind: .refused(.sphere)),
    Row(head: "RIFF\u{1}\0\0\0AVI LIST".padded, isWhole: false, type: "audio/wav", kind: .refused(.avi)),
    Row(head: "RIFF\u{1}\0\0\0RMIDdata".padded, isWhole: false, type: "audio/wav", kind: .refused(.midi)),
    Row(head: "MThd\0\0\0\u{6}".padded, isWhole: false, type: "audio/wav", kind: .refused(.midi)),
    Row(head: "MP+\u{7}".padded, isWhole: false, kind: .refused(.musepack)),
    Row(head: "DSD \u{1C}".padded, isWhole: false, kind: .refused(.dsd)),
    Row(head: "FRM8\0".padded, isWhole: false, kind: .refused(.dsd)),
    Row(head: [0x0B, 0x77, 1, 2, 0x14, 0x40] + "".padded, isWhole: false, kind: .refused(.dolby)),
    Row(head: [0x0B, 0x77, 0x05, 0xBF, 0x3F, 0x86] + "".padded, isWhole: false, kind: .refused(.dolby)),
    Row(head: [0x0B, 0x77, 0xC5, 0xBF, 0x3F, 0x86] + "".padded, kind: .audio),
    Row(head: "FORM\0\0\u{1}\0AIFF".padded, isWhole: false, kind: .container(.aiff)),
    Row(head: "FORM\0\0\u{1}\0AIFC".padded, isWhole: false, type: "audio/mpeg", kind: .container(.aiff)),
    Row(head: Array(mp3[50..<250]), type: "audio/aiff", kind: .unknown),
    Row(head: "%PDF-1.4".padded, isWhole: false, kind: .refused(.pdf)),
    Row(head: "PK\u{3}\u{4}".padded, isWhole: false, kind: .refused(.archive)),
    Row(head: [0x1F, 0x8B, 8] + "".padded, isWhole: false, type: "audio/mpeg", kind: .refused(.compressed)),
    Row(head: [0x1A, 0x45, 0xDF, 0xA3] + "".padded, isWhole: false, kind: .refused(.webm)),
    Row(
      head: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + "".padded, isWhole: false, kind: .refused(.wma)),
    Row(head: [0x89, 0x50, 0x4E, 0x47] + "".padded, isWhole: false, kind: .refused(.image)),
    Row(head: transport(4), isWhole: false, type: "audio/mpeg", kind: .container(.transport)),
    Row(head: Array(transport(1)), isWhole: false, type: "audio/mpeg", kind: nil),
  ]

  static let playlists: [Row] = [
    Row(head: "[playlist]\nFile1=x".bytes, kind: .playlist(.pls)),
    Row(head: "\r\n [PlayList]\r\nFile1=x".bytes, isWhole: false, type: "text/html", kind: .playlist(.pls)),
    Row(head: [0xEF, 0xBB, 0xBF] + "[playlist]\nfile1=x".bytes, kind: .playlist(.pls)),
    Row(head: "numberofentries=1\nfile1=http://x/\n".bytes, kind: .playlist(.pls)),
    Row(head: "title=x\n".bytes, type: "audio/x-scpls", kind: .playlist(.pls)),
    Row(head: "#EXTM3U\n#EXTINF:-1,x\nhttp://x/\n".bytes, kind: .playlist(.m3u)),
    Row(head: "#EXTM3U\n#EXTINF:-1,x\nhttp://x/\n".bytes, isWhole: false, kind: nil),
    Row(head: "http://x/a\n".bytes, type: "text/plain", kind: .playlist(.m3u)),
    Row(head: "\n# c\nHTTPS://x/a".bytes, kind: .playlist(.m3u)),
    Row(head: "song1.mp3\n".bytes, path: "/list.m3u", kind: .playlist(.m3u)),
    Row(head: "song1.mp3\n".bytes, type: "audio/x-mpegurl; charset=x", kind: .playlist(.m3u)),
    Row(head: "song1.mp3\n".bytes, type: "audio/mpeg", kind: .unknown),
    Row(head: [0xFF, 0xFE] + "#EXTM3U\nsong.mp3".bytes.flatMap { [$0, 0] }, kind: .playlist(.m3u)),
    Row(head: [0xFE, 0xFF] + "[playlist]\nfile1=x".bytes.flatMap { [0, $0] }, kind: .playlist(.pls)),
    Row(head: "#EXTM3U\nhttp://x/\n\u{1A}".bytes, kind: .playlist(.m3u)),
    Row(head: "<?xml version='1.0'?>\n<!-- a > b -->\n<playlist version='1'>".bytes, kind: .playlist(.xspf)),
    Row(head: "<xspf:playlist xmlns:xspf='x'>".bytes, kind: .playlist(.xspf)),
    Row(head: "<ASX version='3.0'>".bytes, kind: .playlist(.asx)),
    Row(head: "<?xml version='1.0'?><opml version='2.0'>".bytes, type: "text/xml", kind: .playlist(.opml)),
    Row(head: "<?xml version='1.0'?><rss version='2.0'>".bytes, isWhole: false, kind: .playlist(.feed)),
    Row(head: "<feed xmlns='http://www.w3.org/2005/Atom'>".bytes, isWhole: false, kind: .playlist(.feed)),
    Row(head: "<rdf:RDF xmlns:rdf='x'>".bytes, isWhole: false, type: "text/xml", kind: .playlist(.feed)),
    Row(head: "[Reference]\r\nRef1=http://x".bytes, kind: .playlist(.asx)),
    Row(head: "#EXTM3U\nsegment.aac\n".bytes, type: "application/vnd.apple.mpegurl", kind: .playlist(.m3u)),
  ]

  static let refusedText: [Row] = [
    Row(
      head: "#EXTM3U\n#EXT-X-VERSION:3\n".bytes, isWhole: false, type: "audio/x-mpegurl", kind: .hls),
    Row(head: "#EXTM3U\r\n#EXTINF:5,\r\na.ts\r\n#EXT-X-ENDLIST".bytes, kind: .hls),
    Row(head: "<?xml?><MPD xmlns='x'>".bytes, isWhole: false, kind: .refused(.dash)),
    Row(head: "<!DOCTYPE html>\n<html>".bytes, isWhole: false, type: "audio/mpeg", kind: .refused(.html)),
    Row(head: "\n<HTML><meta http-equiv=x>".bytes, isWhole: false, kind: .refused(.html)),
    Row(head: "<head><title>x</title>".bytes, isWhole: false, kind: .refused(.html)),
    Row(head: "not found".bytes, type: "text/html", kind: .refused(.html)),
    Row(head: "<?xml version='1.0'?><!-- never ends".bytes, isWhole: false, kind: nil),
    Row(head: "<?xml version='1.0'?><!-- never ends".bytes, kind: .unknown),
    Row(head: "<something>else</something>".bytes, kind: .unknown),
    Row(head: "{\"icestats\": 1}".bytes, type: "application/json", kind: .unknown),
    Row(head: "OK2".bytes, kind: .unknown),
  ]

  @Test(
    "The bytes decide the content, then the Content-Type, then the extension (A1)",
    arguments: audio + binary + playlists + refusedText)
  func tellsWhatHasCome(row: Row) {
    #expect(row.result == row.kind)
  }

  @Test(arguments: audio + binary + playlists + refusedText)
  func decidesAtTheLatestWhenTheHeadIsFull(row: Row) {
    var row = row
    row.isWhole = false
    let word: [UInt8] = row.head + [0x20]
    for _ in 0...(4096 / word.count) { row.head += word }
    #expect(row.result != nil)
  }

  @Test(arguments: audio + binary + playlists + refusedText)
  func everyPrefixIsEitherUndecidedOrAudioOrTheSame(row: Row) {
    let whole = Row(head: row.head, type: row.type, path: row.path).result
    guard whole != .unknown else { return }
    for count in 0..<min(row.head.count, 600) {
      let part = Row(head: Array(row.head[..<count]), isWhole: false, type: row.type, path: row.path).result
      #expect(part == nil || part == .audio || part == whole, "\(count) bytes")
    }
  }

  @Test func anythingMayCome() {
    var random = SeededGenerator(10)
    let types = [nil, "audio/mpeg", "text/html", "audio/x-scpls", "", ";"]
    let starts: [[UInt8]] = [[], [0xFF, 0xFB], "ID3".bytes, "<".bytes, "#EXTM3U\n".bytes, [0xFF, 0xFE], "G".bytes]
    var undecided = 0
    for _ in 0..<100_000 {
      let head = starts.randomElement(using: &random)! + random.bytes(Int.random(in: 0...24, using: &random))
      let type = types.randomElement(using: &random)!
      let kind = ContentSniffer.sniff(head.span, isWhole: true, contentType: type, path: "/a.b?c")
      undecided += kind == nil ? 1 : 0
      _ = ContentSniffer.sniff(head.span, isWhole: false, contentType: type, path: nil)
    }
    #expect(undecided == 0)
  }

  @Test(arguments: [
    (
      RefusedKind.encryptedHls,
      "this is an HLS station that is encrypted by SAMPLE-AES or DRM, which Bakelite cannot play yet"
    ),
    (.html, "this is a web page, not a station"),
    (.alac, "this is sound in ALAC, which Bakelite cannot play yet"),
  ])
  func refusesInASentence(kind: RefusedKind, sentence: String) {
    #expect(kind.sentence == sentence)
  }

  private static func transport(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { [0x47, 0x40, 0x00, 0x10] + Build.quiet(184, seed: UInt64($0)) }
  }
}

struct ContentTypeTests {
  @Test(
    arguments: [
      ("audio/mpeg", "audio/mpeg"), (" Audio/MPEG ; charset=x", "audio/mpeg"), ("audio/aac,audio/aac", "audio/aac"),
      ("", nil), (" ;x", nil),
    ] as [(String, String?)])
  func keepsTheEssence(value: String, essence: String?) {
    #expect(ContentType.parse(value) == essence)
  }
}

extension String {
  fileprivate var bytes: [UInt8] { Array(utf8) }
  fileprivate var padded: [UInt8] { Array(utf8) + (0..<64).map { UInt8($0) } }
}
