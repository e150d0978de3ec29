import Testing

@testable import Network

/// The release of a connection's titles.
struct TitleQueueTests {
  enum Input: Hashable {
    /// A title arrives before the first packet, or after a packet.
    case early(String), title(String)
    case packet
  }

  @Test(
    "One title per packet: of early or frequent ones the last follows the next packet",
    arguments: [
      ([.early("a"), .packet], ["a"]), ([.early("a"), .early("b"), .packet, .packet], ["b"]), ([.early("a")], []),
      ([.title("a")], ["a"]), ([.title("a"), .title("b"), .title("c")], ["a"]),
      ([.title("a"), .title("b"), .title("c"), .packet], ["a", "c"]),
      ([.title("a"), .title("b"), .packet, .packet], ["a", "b"]),
      // The position after the packet gets the waiting title.
      ([.title("a"), .title("b"), .packet, .title("c")], ["a", "b"]),
      ([.title("a"), .title("b"), .packet, .title("c"), .packet], ["a", "b", "c"]),
      ([.early("a"), .packet, .title("b")], ["a", "b"]),
      ([.packet, .packet], []),
    ] as [([Input], [String])])
  func turns(inputs: [Input], told: [String]) {
    var turn = TitleQueue()
    var found: [String] = []
    for input in inputs {
      switch input {
      case .early(let text): _ = turn.accept(StationTitle(text: text, url: nil), isJoined: false)
      case .title(let text):
        if turn.accept(StationTitle(text: text, url: nil), isJoined: true) { found.append(text) }
      case .packet:
        if let title = turn.removeWaiting() { found.append(title.text) }
        turn.recordPacket()
        if let title = turn.removeWaiting() { found.append(title.text) }
      }
    }
    #expect(found == told)
  }
}
