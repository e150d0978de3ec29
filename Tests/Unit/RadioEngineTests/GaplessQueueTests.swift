import Testing
import Units

@testable import Network
@testable import RadioEngine

@Suite struct GaplessQueueTests {
  /// Files in the ring, and the last ordered successor.
  enum State: String, CaseIterable {
    case new, ordered, followed, orderedBehind, unwanted, second
  }

  enum Input: String, CaseIterable {
    case orderA, orderB, orderNone, append, appendLate, disown, disownUnlessA, advance, restart, correct, learn
  }

  private static func wanted(_ name: String) -> GaplessQueue.Successor {
    GaplessQueue.Successor(request: StationRequest(url: "http://h/\(name)"), item: nil)
  }

  private static func facts() -> StationFacts { RadioBench.facts(isLive: false) }

  private static func place(_ seconds: Double) -> FilePlace {
    FilePlace(base: StreamTime(seconds: seconds), border: StreamTime(seconds: seconds - 1))
  }

  private static func queue(_ state: State) -> GaplessQueue {
    var queue = GaplessQueue()
    if state == .new { return queue }
    _ = queue.order(wanted("a"))
    if state == .ordered { return queue }
    queue.append(facts(), at: place(60), token: 1)
    switch state {
    case .new, .ordered, .followed: break
    case .orderedBehind: _ = queue.order(wanted("b"))
    case .unwanted: queue.dropFollower(unless: nil)
    case .second: _ = queue.advance(heard: 59)
    }
    return queue
  }

  /// Applies an input. Returns the result.
  private static func act(_ input: Input, _ queue: inout GaplessQueue) -> String {
    switch input {
    case .orderA: return queue.order(wanted("a")).map { "\($0)" } ?? ""
    case .orderB: return queue.order(wanted("b")).map { "\($0)" } ?? ""
    case .orderNone: return queue.order(nil).map { "\($0)" } ?? ""
    case .append: queue.append(facts(), at: place(90), token: 1)
    case .appendLate: queue.append(facts(), at: place(90), token: 0)
    case .disown: queue.dropFollower(unless: nil)
    case .disownUnlessA: queue.dropFollower(unless: wanted("a"))
    case .advance: return queue.tracks.isEmpty ? "" : text(queue.advance(heard: 88))
    case .restart: queue.restart()
    case .correct: queue.correct(by: StreamTime(seconds: 2))
    case .learn:
      var facts: StationFacts? = facts()
      queue.updateLength(StreamTime(seconds: 100), of: &facts)
      return facts?.duration == nil ? "" : "its length"
    }
    return ""
  }

  private static func text(_ track: GaplessQueue.Track) -> String {
    let name = track.wanted?.request.url.unredacted.suffix(1) ?? "?"
    return "\(name)@\(Int(track.place.base.seconds))\(track.facts.duration == nil ? "" : "+")"
  }

  /// The audible file, its base, the time before it, the next files, and the ordered successor. The successor is found
  /// by a repeated order, which returns nil.
  private static func text(_ queue: GaplessQueue) -> String {
    let said = [(wanted("a"), "a"), (wanted("b"), "b"), (nil, "none")].first { wanted, _ in
      var queue = queue
      return queue.order(wanted) == nil
    }
    let heard = "\(queue.number)@\(Int(queue.base.seconds)) \(Int(queue.heardBefore))"
    return ([heard] + queue.tracks.map(text) + [said.map { "then \($0.1)" }].compactMap { $0 }).joined(separator: " ")
  }

  /// Results in the order of `State`: the new state, then the returned value after an arrow. A point means no change.
  static let table: [Input: [String]] = [
    .orderA: [
      "0@0 0 then a → 1", "·", "0@0 0 a@60 then a → 2", "0@0 0 a@60 then a → 3", "0@0 0 ?@60 then a → 2",
      "1@60 59 then a → 2",
    ],
    .orderB: [
      "0@0 0 then b → 1", "0@0 0 then b → 2", "0@0 0 a@60 then b → 2", "·", "0@0 0 ?@60 then b → 2",
      "1@60 59 then b → 2",
    ],
    .orderNone: [
      "0@0 0 then none → 1", "0@0 0 then none → 2", "0@0 0 a@60 then none → 2", "0@0 0 a@60 then none → 3",
      "0@0 0 ?@60 then none → 2", "1@60 59 then none → 2",
    ],
    .append: [
      "0@0 0 ?@90", "0@0 0 a@90", "0@0 0 a@60 ?@90", "0@0 0 a@60 ?@90 then b", "0@0 0 ?@60 ?@90", "1@60 59 ?@90",
    ],
    .appendLate: [
      "0@0 0 ?@90", "0@0 0 ?@90 then a", "0@0 0 a@60 ?@90", "0@0 0 a@60 ?@90 then b", "0@0 0 ?@60 ?@90",
      "1@60 59 ?@90",
    ],
    .disown: ["·", "·", "0@0 0 ?@60", "0@0 0 ?@60 then b", "·", "·"],
    .disownUnlessA: ["·", "·", "·", "·", "·", "·"],
    .advance: ["·", "·", "1@60 88 → a@60", "1@60 88 then b → a@60", "1@60 88 → ?@60", "·"],
    .restart: ["·", "0@0 0", "0@0 0", "0@0 0", "0@0 0", "1@0 59"],
    .correct: [
      "0@-2 0", "0@-2 0 then a", "0@0 0 a@58", "0@0 0 a@58 then b", "0@0 0 ?@58", "1@58 59",
    ],
    .learn: [
      "· → its length", "· → its length", "0@0 0 a@60+", "0@0 0 a@60+ then b", "0@0 0 ?@60+", "· → its length",
    ],
  ]

  @Test("Each input has its effect in each state", arguments: Input.allCases)
  func transitions(_ input: Input) throws {
    let row = try #require(Self.table[input])
    try #require(row.count == State.allCases.count)
    for (state, expected) in zip(State.allCases, row) {
      var queue = Self.queue(state)
      let before = Self.text(queue)
      let given = Self.act(input, &queue)
      let after = Self.text(queue)
      let result = (after == before ? "·" : after) + (given.isEmpty ? "" : " → \(given)")
      #expect(result == expected, "\(state) at \(input)")
    }
  }

  @Test("A follower ordered before a restart is ignored, although it arrives")
  func forgets() {
    var queue = Self.queue(.ordered)
    queue.restart()
    queue.append(Self.facts(), at: Self.place(60), token: 1)
    #expect(queue.tracks.map(Self.text) == ["?@60"])
  }
}
