import Blocks
import MediaSupport
import StationSupport
import Testing
import Units

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
