import Blocks
@testable import Framing
@testable import Http
@testable import Network
@testable import RadioEngine
import Units

/// Processes a complete response, from its head to packets and titles.
final class Intake: FuzzTarget {
  static let name = "intake"
  static let longest = 400
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFB, 0x90, 0x44, 0, 3, 3, 0, 3, 3],
    [1, 100, 0, 0, 0, 0, 0, 0, 0, 0xFB, 0x90, 0x44, 0, 3, 3],
    [0, 0, 0, 0, 0, 0, 0, 1] + Array("[playlist]\nFile1=a".utf8),
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    var head = HttpHead(status: 200, effectiveURL: "")
    head.icy.metaint = recipe.number(0...1_000)
    head.contentType = recipe.pick(["audio/mpeg", nil, "text/html", "application/octet-stream"])
    let kind: StationRequest.AddressKind = recipe.pick([.automatic, .raw, .playlist(.pls)])
    var arrival = Recipe(recipe.take(3).span)
    let stream = recipe.flag() ? recipe.rest() : StreamRecipe(&recipe, .mpeg).bytes
    let receiver = Receiver()
    let intake = StreamIntake(kind: kind, head: head, path: "/a", followsGap: false, text: TitleText(encoding: nil))
    for piece in arrival.pieces(of: stream.count) { intake.process(stream.span.extracting(piece), receiver) }
    intake.finish(receiver)
    expect(intake.phase != .sniffing, "the end decides")
    expect(intake.delivered == receiver.time, "what is delivered is what was taken")
    expect(receiver.byteCount <= intake.byteCount && intake.byteCount <= stream.count, "no byte is taken twice")
    if kind == .raw, case .playlist = intake.phase { expect(false, "raw audio is no playlist") }
  }

  private final class Receiver: StreamReceiver {
    var time = StreamTime.zero
    var byteCount = 0

    func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?) {
      expect(info.byteCount == bytes.count, "a packet is as long as its bytes")
      time += info.duration
      byteCount += bytes.count
    }
  }
}
