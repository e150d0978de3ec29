import Blocks
import MediaSupport
import StationSupport
import Testing
import Units

@testable import Framing
@testable import Http
@testable import Network

/// The titles of a stream: each begins with a packet.
@Suite struct StreamTitleTests {
  @Test("A block's title has its address, and a block without a title is ignored")
  func blocks() {
    let text = TitleText(encoding: nil)
    func title(_ block: String) -> StationTitle? { text.title(in: Array(block.utf8).span) }
    #expect(
      title("StreamTitle='A - B';StreamUrl='http://a/';") == StationTitle(text: "A - B", url: "http://a/"))
    #expect(title("StreamTitle='A';StreamUrl='';") == StationTitle(text: "A"))
    #expect(title("StreamUrl='http://a/';") == nil)
    #expect(title("StreamTitle='A';adw_ad='false';") == StationTitle(text: "A"))
  }

  @Test(
    "A block with an ad returns its kind and length instead of a title",
    arguments: [
      ("StreamTitle='A';adw_ad='true';durationMilliseconds='30000';", AdMark.begin(Self.ad(.midroll, 30))),
      (
        "adw_ad='true';durationMilliseconds='9500';insertionType='preroll';StreamTitle='Buy it';",
        .begin(Self.ad(.preroll, 9.5))
      ),
      ("adw_ad='true';", .begin(Self.ad(.midroll))),
      ("adw_ad='true';durationMilliseconds='-1';", .begin(Self.ad(.midroll))),
      ("adw_ad='true';durationMilliseconds='99999999999';", .begin(Self.ad(.midroll))),
      (#"StreamTitle='A - text="B" song_spot="T" length="00:01:05"';"#, .begin(Self.ad(.spot, 65))),
      ("StreamTitle='STOP ADBREAK 1';", .end),
    ] as [(String, AdMark)])
  func ads(block: String, mark: AdMark) {
    #expect(TitleText(encoding: nil).title(in: Array(block.utf8).span) == StationTitle(mark))
  }

  @Test("The title from before an ad ends the ad, and is not reported again")
  func repeatedAfterAd() {
    var placer = TitlePlacer()
    let (title, mark) = (StationTitle(text: "A"), AdMark.begin(AdBreak(.spot)))
    func time(_ seconds: Double) -> StreamTime { StreamTime(seconds: seconds) }
    #expect(placer.place(title, at: time(0)) == .title(text: "A", url: nil, at: time(0)))
    #expect(placer.place(StationTitle(mark), at: time(10)) == .ad(mark, at: time(10)))
    #expect(placer.place(title, at: time(40)) == .ad(.end, at: time(40)))
    #expect(placer.place(title, at: time(50)) == nil)
  }

  private static func ad(_ kind: AdBreak.Kind, _ seconds: Double? = nil) -> AdBreak {
    AdBreak(kind, length: seconds.map { StreamTime(seconds: $0) })
  }

  @Test(
    "Character references in a block are decoded, also among bytes of Latin-1",
    arguments: [
      (Array("Simon &amp; Garfunkel".utf8), "Simon & Garfunkel"), (Array("AT&T; - R&B;".utf8), "AT&T; - R&B;"),
      // Icecast writes characters outside Latin-1 as references.
      (Array("&#321;".utf8) + [0xF3] + Array("d&#378; &#8211; &#8364;5".utf8), "Łódź – €5"),
      (Array("&#1050;&#1080;&#1085;&#1086; - Группа".utf8), "Кино - Группа"),
      (Array("A&#27;[31m&#x202E;B &nbsp; C".utf8), "A[31mB C"), ([0xC9] + Array("t&eacute;".utf8), "Été"),
    ] as [([UInt8], String)])
  func references(words: [UInt8], text: String) {
    let block = Array("StreamTitle='".utf8) + words + Array("';".utf8)
    #expect(TitleText(encoding: nil).title(in: block.span)?.text == text)
  }

  @Test("References are decoded after the station's own encoding")
  func encodedReferences() {
    let block = Array("StreamTitle='".utf8) + [0xCA, 0xE8, 0xED, 0xEE] + Array(" &amp; &#1050;';".utf8)
    #expect(TitleText(encoding: "windows-1251").title(in: block.span)?.text == "Кино & К")
  }

  private final class Receiver: StreamReceiver {
    var titles: [(packet: Int, text: String)] = []
    var packetCount = 0

    func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?) {
      if let title { titles.append((packetCount, title.text)) }
      packetCount += 1
    }
  }

  @Test(
    "A title begins with the packet in which it arrives; of several titles the last one",
    arguments: [
      // The byte of each title in 10 packets of 417 bytes or one more; the reported title of each packet.
      ([0], [0: 0]), ([416], [0: 0]), ([900], [2: 0]), ([10, 20, 900], [0: 1, 2: 2]), ([900, 910, 920], [2: 2]),
      ([4_160], [9: 0]), ([], [:]),
    ] as [([Int], [Int: Int])])
  func packets(places: [Int], expected: [Int: Int]) {
    let titles = places.enumerated().map { (at: $1, text: "\($0)") }
    let audio = Clip.mp3(1).prefix(packets: 10).bytes
    var head = HttpHead(status: 200, effectiveURL: "")
    head.icy.metaint = 1
    let intake = StreamIntake(kind: .raw, head: head, path: nil, followsGap: false, text: TitleText(encoding: nil))
    let receiver = Receiver()
    intake.process(Icy.interleave(audio, metaint: 1, titles: titles).span, receiver)
    intake.finish(receiver)
    #expect(receiver.packetCount == 10)
    #expect(receiver.titles.map(\.packet) == expected.keys.sorted())
    #expect(receiver.titles.map(\.text) == expected.keys.sorted().map { "\(expected[$0] ?? -1)" })
  }

  @Test("A title that arrives within the headers of a container survives headers without tags")
  func emptyTags() {
    var head = HttpHead(status: 200, effectiveURL: "")
    head.icy.metaint = 40
    let intake = StreamIntake(
      kind: .automatic, head: head, path: nil, followsGap: false, text: TitleText(encoding: nil))
    let receiver = Receiver()
    let audio = WavWriter().file(Music(frames: 8_000, rate: 8_000)).bytes
    intake.process(Icy.interleave(audio, metaint: 40, titles: [(at: 10, text: "A")]).span, receiver)
    intake.finish(receiver)
    #expect(receiver.titles.map(\.text) == ["A"])
  }
}
