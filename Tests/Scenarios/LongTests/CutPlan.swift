import MediaSupport
import SeededRandom
import StationSupport
import TestSupport

/// A programme with fifty cuts, between and within packets, by FIN and by RST. Each connection repeats some audio from
/// before the cut.
struct CutPlan: Sendable {
  static let cutCount = 50

  private struct Leg: Sendable {
    var bytes: Range<Int>
    var metaint: Int?
    var isReset: Bool
    var chunkSeed: UInt64
    let end = Gate()
  }

  /// ICY titles, spread evenly over the programme.
  let titles: [String]
  /// Sent first on each connection, like the headers of a stream that a server relays.
  private let head: [UInt8]
  private let audio: [UInt8]
  private var legs: [Leg] = []

  init(_ clip: Clip, titles: [String], seed: UInt64) {
    self.init(
      head: [], clip.packets.map(\.bytes), byteRate: clip.byteRate, overlap: 0.4...5, titles: titles, seed: seed)
  }

  /// Cuts parts (pages of Ogg or frames of FLAC) behind a head. `overlap`: seconds repeated on each connection.
  init(
    head: [UInt8], _ parts: [[UInt8]], byteRate: Double, overlap: ClosedRange<Double>, titles: [String] = [],
    seed: UInt64
  ) {
    (self.head, self.titles) = (head, titles)
    audio = parts.flatMap { $0 }
    let length = audio.count
    let borders = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    var random = SeededGenerator(seed)
    func place(_ wanted: Int) -> Int {
      Bool.random(using: &random) ? borders.last { $0 <= wanted } ?? 0 : max(0, wanted)
    }
    let second = Int(byteRate)
    let cuts = (0..<Self.cutCount).map { _ in Int.random(in: 6 * second..<length - second, using: &random) }.sorted()
    var start = 0
    for cut in cuts.map({ place($0) }) + [length] {
      let metaint = titles.isEmpty ? nil : [nil, 100, 1_000, 4_096, 8_191, 16_000].randomElement(using: &random) ?? nil
      legs.append(
        Leg(bytes: start..<cut, metaint: metaint, isReset: .random(using: &random), chunkSeed: random.next()))
      start = place(cut - Int(Double(second) * .random(in: overlap, using: &random)))
    }
  }

  var isOver: Bool { legs.allSatisfy(\.end.isOpen) }

  /// Returns the first leg that is not finished. A second connection that a late machine opens at the same time gets
  /// the same leg.
  func script(_ visit: ScriptedStation.Request, type: String) -> [StationAction] {
    guard let number = legs.firstIndex(where: { !$0.end.isOpen }) else { return [.stall] }
    let leg = legs[number]
    var acts = [StationAction.live(type: type)]
    var sent = head + audio[leg.bytes]
    if let metaint = leg.metaint {
      acts = [.live("icy-metaint: \(metaint)", type: type)]
      let cues = titles.enumerated().map {
        (at: max(0, audio.count * $0.offset / titles.count - leg.bytes.lowerBound), text: $0.element)
      }
      sent = Icy.interleave(sent, metaint: metaint, titles: cues)
    }
    acts += Self.chunks(of: sent, seed: leg.chunkSeed) + [.open(leg.end)]
    if number == legs.count - 1 { return acts + [.stall] }
    return leg.isReset ? acts + [.reset] : acts
  }

  private static func chunks(of bytes: [UInt8], seed: UInt64) -> [StationAction] {
    var random = SeededGenerator(seed)
    var acts: [StationAction] = []
    var rest = bytes[...]
    while !rest.isEmpty, acts.count < 60 {
      let most = [7, 2_000, 30_000].randomElement(using: &random) ?? 7
      let count = min(rest.count, .random(in: 1...most, using: &random))
      acts.append(.send(Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return rest.isEmpty ? acts : acts + [.send(Array(rest))]
  }
}
