import Foundation
import Framing
import Testing
import Units

@testable import Network
@testable import RadioEngine
@testable import Recordings

/// Events as lines of JSON, compared byte by byte, since programs read these lines.
@Suite struct EventJsonTests {
  private static let facts = StationFacts(
    url: "http://radio.example/live", name: "Caf\u{E9} \"FM\"", genre: nil, homePage: "http://radio.example/",
    contentType: "audio/mpeg", toldBitRate: 128_000, metaint: 16_000, isLive: true, byteCount: nil, isSeekable: false)
  private static var segmented: StationFacts {
    var facts = StationFacts(url: "http://radio.example/live", isLive: true, isSeekable: false, container: .transport)
    facts.segments = SegmentFacts(
      targetDuration: StreamTime(seconds: 6), window: StreamTime(seconds: 7_200),
      variants: [
        SegmentFacts.Variant(bitRate: nil, codecs: nil), SegmentFacts.Variant(bitRate: 319_999, codecs: "mp4a.40.2"),
      ], chosen: 1)
    return facts
  }
  private static let title = Title(text: "A - B", url: nil, artist: "A", track: "B")

  private static var summary: Summary {
    var summary = Summary()
    (summary.heard, summary.underruns, summary.xruns, summary.stitches, summary.reconnects) = (12.5, 1, 2, 3, 4)
    (summary.lost, summary.bytes, summary.titles, summary.rssAnonPeak) = (0.25, 200_000, 5, 9_000)
    return summary
  }

  private static let url = "http://h/x"

  static let lines: [(Event, String)] = [
    (.connecting(url: url), #""event":"connecting","url":"http://h/x""#),
    (.buffering(held: 0.5, target: 10), #""event":"buffering","held":0.500,"target":10.000"#),
    (
      .playing(station: "X", latency: 0.1234, behindLive: 1.0005),
      #""event":"playing","station":"X","latency":0.123,"behindLive":1.001"#
    ),
    (
      .playing(station: nil, latency: 0, behindLive: nil),
      #""event":"playing","station":null,"latency":0.000,"behindLive":null"#
    ),
    (
      .recordingStopped(path: "/r/a.mp3", bytes: 7, error: nil),
      #""event":"recordingStopped","path":"/r/a.mp3","bytes":7,"error":null"#
    ),
    (
      .songKept(KeptSong(path: "/r/A.mp3", title: title, missing: 1.5, goesOn: false), bytes: 9, error: "full."),
      #""event":"songKept","title":"A - B","url":null,"artist":"A","track":"B","path":"/r/A.mp3","bytes":9,"#
        + #""missing":1.500,"error":"full.""#
    ),
    (.stopped(.user), #""event":"stopped","reason":"user""#),
    (.stopped(.end), #""event":"stopped","reason":"end""#),
    (.stopped(.error), #""event":"stopped","reason":"error""#),
    (.stopped(.timeout), #""event":"stopped","reason":"timeout""#),
    (.stopped(.interruption), #""event":"stopped","reason":"interruption""#),
    (.paused(.interruption), #""event":"paused","reason":"interruption""#),
    (.willSuspend, #""event":"willSuspend""#), (.suspended, #""event":"suspended""#),
    (.resumed, #""event":"resumed""#),
    (
      .deviceBack(device: "hw:0", message: "There."), #""event":"deviceBack","device":"hw:0","message":"There.""#
    ),
    (
      .stationInfo(StationInfo(facts: facts, codec: "MP3", bitRate: 128, sampleRate: 44_100, channels: 2)),
      #""event":"stationInfo","name":"Café \"FM\"","genre":null,"url":"http://radio.example/","#
        + #""contentType":"audio/mpeg","codec":"MP3","bitRate":128,"sampleRate":44100,"channels":2,"#
        + #""metaint":16000,"live":true,"container":null,"variant":null,"targetDuration":null,"window":null"#
    ),
    (
      .stationInfo(StationInfo(facts: segmented, codec: "AAC", bitRate: nil, sampleRate: 48_000, channels: 2)),
      #""event":"stationInfo","name":null,"genre":null,"url":"http://radio.example/live","#
        + #""contentType":null,"codec":"AAC","bitRate":null,"sampleRate":48000,"channels":2,"#
        + #""metaint":null,"live":true,"container":"mpegts","variant":"320 kbit/s mp4a.40.2","#
        + #""targetDuration":6.000,"window":7200.000"#
    ),
    (
      .metadataReceived(title),
      #""event":"metadataReceived","title":"A - B","url":null,"artist":"A","track":"B""#
    ),
    (
      .metadataChanged(title, at: 3.5),
      #""event":"metadataChanged","title":"A - B","url":null,"artist":"A","track":"B","at":3.500"#
    ),
    (
      .reconnecting(attempt: 2, delay: 1, reason: "gone.", held: 7.25),
      #""event":"reconnecting","attempt":2,"delay":1.000,"reason":"gone.","held":7.250"#
    ),
    (
      .stitched(overlap: 2, lost: 0, exact: true, estimated: false),
      #""event":"stitched","overlap":2.000,"lost":0.000,"exact":true,"estimated":false"#
    ),
    (
      .adBreak(isBeginning: true, kind: .midroll, length: 30),
      #""event":"adBreak","state":"begin","kind":"midroll","length":30.000"#
    ),
    (
      .adBreak(isBeginning: false, kind: .cue, length: nil),
      #""event":"adBreak","state":"end","kind":"cue","length":null"#
    ),
    (.underrun(held: 0, count: 3), #""event":"underrun","held":0.000,"count":3"#),
    (
      .rescued(held: 2.5, waits: ThreadWaits(net: .room, decode: .hold, render: .idle)),
      #""event":"rescued","held":2.500,"states":"net: room, decode: hold, render: idle""#
    ),
    (.queueExhausted(held: 0, count: 3), #""event":"queueExhausted","held":0.000,"count":3"#),
    (.httpError(code: 503, url: url), #""event":"httpError","code":503,"url":"http://h/x""#),
    (.missingContent(url: url, message: "m"), #""event":"missingContent","url":"http://h/x","message":"m""#),
    (.badContent(url: url, message: "m"), #""event":"badContent","url":"http://h/x","message":"m""#),
    (.urlNotFound(url: url, message: "m"), #""event":"urlNotFound","url":"http://h/x","message":"m""#),
    (.timeoutExceeded(url: url, message: "m"), #""event":"timeoutExceeded","url":"http://h/x","message":"m""#),
    (.noNetwork(url: url, message: "m"), #""event":"noNetwork","url":"http://h/x","message":"m""#),
    (.unknownEncoding(url: url, message: "m"), #""event":"unknownEncoding","url":"http://h/x","message":"m""#),
    (.readThrough(url: url, message: "m"), #""event":"readThrough","url":"http://h/x","message":"m""#),
    (
      .itemBegan(index: 2, count: 9, title: "A", url: url),
      #""event":"itemBegan","index":2,"count":9,"title":"A","url":"http://h/x""#
    ),
    (.followed(url: url), #""event":"followed","url":"http://h/x""#),
    (.fileComplete(heard: 61), #""event":"fileComplete","heard":61.000"#),
    (.deviceLost(device: "hw:0", message: "m"), #""event":"deviceLost","device":"hw:0","message":"m""#),
    (
      .failedOver(from: "A", to: "B", reason: "No audio for 15 s.", exact: false, lost: 15),
      #""event":"failedOver","from":"A","to":"B","reason":"No audio for 15 s.","exact":false,"lost":15.000"#
    ),
    (.deadAir(level: -60.5, seconds: 20), #""event":"deadAir","level":-60.500,"seconds":20.000"#),
    (.cameBack(to: "A", exact: true, after: 60), #""event":"cameBack","to":"A","exact":true,"after":60.000"#),
    (
      .summary(summary),
      #""event":"summary","heard":12.500,"underruns":1,"xruns":2,"stitches":3,"reconnects":4,"rescues":0,"lost":0.250,"#
        + #""bytes":200000,"titles":5,"rssAnonPeak":9000"#
    ),
  ]

  @Test("An event is one line with its fields in order", arguments: lines)
  func line(event: Event, members: String) throws {
    #expect(event.json(at: 1.5) == #"{"t":1.500,"# + members + "}")
    let object = try JSONSerialization.jsonObject(with: Data(event.json(at: 1.5).utf8)) as? [String: Any]
    #expect(object?["event"] as? String == event.name)
  }

  @Test(
    "Any text survives",
    arguments: [
      "\"\\/", "a\nb\tc\r", "\0\u{1}\u{1F}\u{7F}\u{9B}", "\u{2028}\u{2029}", "日本 \u{1F4FB}", "'", "",
      "a\u{202E}b\u{2069}\u{200F}\u{61C}\u{E0041}",
    ])
  func text(text: String) throws {
    let line = Event.connecting(url: text).json(at: 0)
    #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(line.unicodeScalars.allSatisfy { $0.value != 0x2028 && $0.value != 0x2029 })
    #expect(!line.unicodeScalars.contains { $0.properties.isBidiControl || (0xE0000...0xE0FFF).contains($0.value) })
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["url"] as? String == text)
  }

  @Test("The figures of two consecutive radios add up")
  func sums() {
    var sum = Self.summary
    sum.rescues = 1
    sum.add(Self.summary)
    #expect((sum.heard, sum.underruns, sum.xruns, sum.stitches, sum.reconnects) == (25, 2, 4, 6, 8))
    #expect((sum.rescues, sum.lost, sum.bytes, sum.titles, sum.rssAnonPeak) == (1, 0.5, 400_000, 10, 9_000))
  }

  @Test(
    "Numbers have three decimals, and invalid ones are null",
    arguments: [
      (0.0, "0.000"), (0.0004, "0.000"), (0.0005, "0.001"), (1.9996, "2.000"), (-0.25, "-0.250"), (-0.0001, "0.000"),
      (86_400.125, "86400.125"), (.infinity, "null"), (.nan, "null"), (1e300, "null"),
    ])
  func number(value: Double, text: String) {
    #expect(Event.fileComplete(heard: value).json(at: 0) == #"{"t":0.000,"event":"fileComplete","heard":\#(text)}"#)
  }
}
