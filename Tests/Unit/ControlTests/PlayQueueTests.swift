import Network
import Testing

@testable import Control

/// The play queue without a player.
@Suite struct PlayQueueTests {
  private func queue(_ names: [String] = ["a", "b", "c"], current: String? = nil) -> PlayQueue {
    var queue = PlayQueue()
    for name in names { _ = queue.add(Self.request(name), name: name) }
    queue.makeCurrent(current.flatMap { id($0, queue) })
    _ = queue.removeChanges()
    return queue
  }

  private static func request(_ name: String) -> StationRequest { StationRequest(url: "http://radio.example/\(name)") }

  private static func preset(_ name: String) -> Preset { Preset(name: name, request: request(name)) }

  private func id(_ name: String, _ queue: PlayQueue) -> Int? {
    queue.queue.stations.first { $0.name == name }?.id
  }

  private func names(_ queue: PlayQueue) -> [String] { queue.queue.stations.map(\.name) }

  private func name(_ id: Int?, _ queue: PlayQueue) -> String? { id.flatMap { queue.queue[id: $0]?.name } }

  @Test(
    "The options decide the next station",
    arguments: [
      ("", "a", "b"), ("", "c", nil), ("repeat", "c", "a"), ("single", "a", nil), ("single repeat", "a", "a"),
      ("single repeat consume", "a", nil), ("oneshot", "a", nil), ("oneshot repeat", "b", "b"), ("consume", "b", "c"),
      ("consume repeat", "c", "a"), ("", nil, "a"),
    ] as [(String, String?, String?)])
  func successors(_ words: String, _ current: String?, _ next: String?) {
    var queue = self.queue(current: current)
    var options = PlayOptions()
    options.single = words.contains("single") ? .on : words.contains("oneshot") ? .oneshot : .off
    (options.repeats, options.consumes) = (words.contains("repeat"), words.contains("consume"))
    queue.choose(options)
    #expect(queue.successor(stopsAfterList: false)?.name == next)
    let afterList = options.single == .off ? nil : next
    #expect(queue.successor(stopsAfterList: true)?.name == afterList)
  }

  @Test("The last station of a consuming queue has no successor, even with repeat")
  func lastOfAConsumingQueue() {
    var queue = self.queue(["a"], current: "a")
    var options = PlayOptions()
    (options.repeats, options.consumes) = (true, true)
    queue.choose(options)
    #expect(queue.successor(stopsAfterList: false) == nil)
    queue.leaveCurrent()
    #expect(names(queue) == [] && queue.removeChanges() == [.options, .playlist])
  }

  @Test("Oneshot ends with its station")
  func oneshot() {
    var queue = self.queue(current: "a")
    var options = PlayOptions()
    options.single = .oneshot
    queue.choose(options)
    queue.choose(options)
    #expect(queue.removeChanges() == [.options])
    queue.leaveCurrent()
    #expect(queue.options.single == .off && queue.removeChanges() == [.options] && names(queue) == ["a", "b", "c"])
  }

  @Test(
    "Removal reports if the current station is included, and its successor",
    arguments: [
      ("b", 0..<1, false, nil, ["b", "c"]), ("b", 1..<2, true, "c", ["a", "c"]), ("b", 1..<3, true, nil, ["a"]),
      ("a", 0..<2, true, "c", ["c"]), (nil, 0..<3, false, nil, []), ("c", 2..<3, true, nil, ["a", "b"]),
    ] as [(String?, Range<Int>, Bool, String?, [String])])
  func removals(_ current: String?, _ positions: Range<Int>, _ isCurrent: Bool, _ next: String?, _ left: [String]) {
    var queue = self.queue(current: current)
    let after = next.flatMap { id($0, queue) }
    #expect(queue.delete(positions) == (isCurrent ? .current(next: after) : .others))
    #expect(names(queue) == left && queue.removeChanges() == [.playlist])
  }

  @Test("Nothing can be removed beyond the end", arguments: [3..<4, 0..<0, 1..<9])
  func noRemovals(_ positions: Range<Int>) {
    var queue = self.queue(current: "a")
    #expect(queue.delete(positions) == .none && queue.removeChanges() == [])
  }

  @Test("A selected station is current if stopped, and forgotten with its removal")
  func selection() {
    for isStopped in [true, false] {
      var queue = self.queue(current: "a")
      #expect(!queue.select(99, isStopped: isStopped) && queue.selectedID == nil)
      let chosen = id("c", queue) ?? 0
      #expect(queue.select(chosen, isStopped: isStopped) && queue.selectedID == chosen)
      #expect(queue.current?.name == (isStopped ? "c" : "a"))
      _ = queue.delete(2..<3)
      #expect(queue.selectedID == nil)
    }
  }

  @Test("An address or preset is added once, and a bare address becomes the preset")
  func entries() {
    var queue = self.queue(["a"])
    #expect(queue.entry(for: Self.request("a"), name: "") == id("a", queue))
    #expect(queue.entry(for: Self.request("b"), name: "b") == id("b", queue) && names(queue) == ["a", "b"])
    _ = queue.add(Self.request("c"), name: "")
    queue.setPresets(PresetList(["c", "d"].map(Self.preset)))
    #expect(queue.removeChanges() == [.playlist, .storedPlaylist])
    #expect(name(queue.entry(ofPreset: 0), queue) == "c" && names(queue) == ["a", "b", "c"])
    #expect(name(queue.entry(ofPreset: 1), queue) == "d" && names(queue) == ["a", "b", "c", "d"])
    #expect(queue.removeChanges() == [.playlist])
    #expect(queue.entry(ofPreset: 2) == nil && queue.entry(ofPreset: -1) == nil && queue.removeChanges() == [])
    queue.makeCurrent(id("d", queue))
    #expect(queue.presetPlace == 1)
  }

  @Test("A refilled queue retains the current station, at its new position")
  func fill() {
    var queue = self.queue(current: "b")
    let kept = queue.currentID
    queue.fill(with: ["x", "b", "y"].map(Self.preset))
    #expect(names(queue) == ["x", "b", "y"] && queue.currentID == kept && queue.removeChanges() == [.playlist])
    queue.fill(with: ["x"].map(Self.preset))
    #expect(names(queue) == ["b", "x"] && queue.currentID == kept)
    queue.clear()
    #expect(names(queue) == [] && queue.currentID == nil)
  }

  @Test("Clients are notified only if the queue changed")
  func edits() {
    var queue = self.queue(current: "a")
    let isMoved = queue.edit { $0.move(0..<1, to: 9) }
    #expect(!isMoved && queue.removeChanges() == [])
    let isSwapped = queue.edit { $0.swap(0, 2) }
    #expect(isSwapped && names(queue) == ["c", "b", "a"] && queue.removeChanges() == [.playlist])
    queue.touch(99)
    #expect(queue.removeChanges() == [])
    queue.touch(id("a", queue) ?? 0)
    #expect(queue.removeChanges() == [.playlist] && queue.current?.name == "a")
    queue.stand(at: nil)
    #expect(queue.current == nil)
  }
}
