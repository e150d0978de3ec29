import Testing
import Units

@testable import Network

/// The successor of a file: every pair of state and input.
struct FileSequenceTests {
  private static let next = Follow(request: StationRequest(url: "http://a/2.mp3"), token: 7)
  private static let nothing = Follow(request: nil, token: 8)
  private static let bad = Follow(request: StationRequest(url: "no address"), token: 9)

  enum Input: CaseIterable {
    case next, nothing, bad, end, join, abandon, seek
  }

  /// The action in one word.
  private static func act(_ input: Input, _ sequence: inout FileSequence) -> String {
    let action: FileSequence.Action
    switch input {
    case .next: action = sequence.setNext(next)
    case .nothing: action = sequence.setNext(nothing)
    case .bad: action = sequence.setNext(bad)
    case .end: action = sequence.finishCurrent()
    case .join: return sequence.recordPacket() ? "begins" : ""
    case .abandon: action = sequence.abandon()
    case .seek:
      sequence.seek()
      return ""
    }
    switch action {
    case .nothing: return ""
    case .finish: return "finish"
    case .request(let request, let address):
      return request == next.request && address.host == "a" ? "ask" : "ask for something else"
    }
  }

  private static let known = FileSequence.State.playing(next)

  /// A state, the inputs that lead there, and the result of each input.
  struct Row: Sendable {
    var state: FileSequence.State
    var way: [Input]
    var cells: [Input: (action: String, state: FileSequence.State)]
  }

  static let rows = [
    Row(
      state: .playing(nil), way: [],
      cells: [
        .next: ("", known), .nothing: ("", .playing(nothing)), .bad: ("", .playing(bad)), .end: ("", .awaiting),
        .join: ("", .playing(nil)), .abandon: ("", .playing(nil)), .seek: ("", .playing(nil)),
      ]),
    Row(
      state: known, way: [.next],
      cells: [
        .next: ("", known), .nothing: ("", .playing(nothing)), .bad: ("", .playing(bad)), .end: ("ask", .following),
        .join: ("", known), .abandon: ("", known), .seek: ("", .playing(nil)),
      ]),
    Row(
      state: .playing(nothing), way: [.nothing],
      cells: [
        .next: ("", known), .nothing: ("", .playing(nothing)), .bad: ("", .playing(bad)), .end: ("finish", .over),
        .join: ("", .playing(nothing)), .abandon: ("", .playing(nothing)), .seek: ("", .playing(nil)),
      ]),
    Row(
      state: .playing(bad), way: [.bad],
      cells: [
        .next: ("", known), .nothing: ("", .playing(nothing)), .bad: ("", .playing(bad)), .end: ("finish", .over),
        .join: ("", .playing(bad)), .abandon: ("", .playing(bad)), .seek: ("", .playing(nil)),
      ]),
    Row(
      state: .awaiting, way: [.end],
      cells: [
        .next: ("ask", .following), .nothing: ("finish", .over), .bad: ("finish", .over), .end: ("", .awaiting),
        .join: ("", .awaiting), .abandon: ("", .awaiting), .seek: ("", .playing(nil)),
      ]),
    Row(
      state: .following, way: [.next, .end],
      cells: [
        .next: ("ask", .following), .nothing: ("finish", .over), .bad: ("finish", .over), .end: ("finish", .over),
        .join: ("begins", .playing(nil)), .abandon: ("finish", .over), .seek: ("", .playing(nil)),
      ]),
    Row(
      state: .over, way: [.nothing, .end],
      cells: [
        .next: ("", .over), .nothing: ("", .over), .bad: ("", .over), .end: ("", .over), .join: ("", .over),
        .abandon: ("", .over), .seek: ("", .playing(nil)),
      ]),
  ]

  @Test("Each input has its effect in each state", arguments: rows)
  func table(row: Row) {
    for input in Input.allCases {
      var sequence = FileSequence()
      for step in row.way { _ = Self.act(step, &sequence) }
      #expect(sequence.state == row.state)
      let action = Self.act(input, &sequence)
      #expect(action == row.cells[input]?.action, "\(input)")
      #expect(sequence.state == row.cells[input]?.state, "\(input)")
    }
  }

  @Test("No input leads to an unlisted state, and a programme ends at most once")
  func whole() {
    var seen: [FileSequence.State] = []
    var waiting = [FileSequence()]
    while let sequence = waiting.popLast() {
      if seen.contains(sequence.state) { continue }
      seen.append(sequence.state)
      for input in Input.allCases {
        var next = sequence
        let action = Self.act(input, &next)
        #expect((action == "finish") == (next.state == .over && sequence.state != .over))
        waiting.append(next)
      }
    }
    #expect(seen.count == Self.rows.count)
    #expect(seen.allSatisfy { state in Self.rows.contains { $0.state == state } })
  }

  @Test("Files are counted as they become audible, and reported with the last follower's token")
  func numbers() {
    var sequence = FileSequence(number: 3)
    _ = sequence.setNext(Self.next)
    #expect(sequence.hasNext)
    _ = sequence.finishCurrent()
    #expect(sequence.isFollowing && !sequence.hasNext && (sequence.number, sequence.token) == (3, 7))
    let begins = sequence.recordPacket()
    #expect(begins && !sequence.isFollowing && sequence.number == 4)
    _ = sequence.setNext(Self.nothing)
    #expect(!sequence.hasNext)
  }
}
