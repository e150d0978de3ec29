import Directory
import DirectorySupport
import Foundation
import Panel
import PanelWords
import SeededRandom
import System
import Testing
import Units

@testable import Box

/// Finding and storing a station with the knob alone, in a directory of 40,000 stations (G3).
@Suite struct FindGestureTests {
  /// Counts gestures at a knob: a turn in one direction without a pause is one gesture, as is a press or a hold.
  private struct Hand {
    private let finder: StationFinder
    private var panel = FrontPanel(columns: 20, rows: 4)
    private var view = PanelView()
    private var now = at(0)
    private var direction = 0
    private(set) var gestureCount = 0
    private(set) var clickCount = 0
    private(set) var orders: [PanelOrder] = []
    /// Longest processor time from a gesture to its picture.
    private(set) var slowest = Duration.zero

    init(_ finder: StationFinder) {
      self.finder = finder
      for _ in 0..<2 { press(.select) }
      // Count from the Find list on.
      (gestureCount, direction) = (0, 0)
    }

    var rows: FindRows? {
      if case .rows(let rows)? = view.found { rows } else { nil }
    }
    var list: FindList? { panel.findRequest?.list }
    var cursor: Int { panel.findRequest?.cursor ?? rows?.start ?? 0 }

    private mutating func look() { view.found = finder.answer(panel.findRequest, tuned: nil, at: now) }

    private mutating func handle(_ input: PanelInput) {
      let start = ThreadTime.now
      look()
      orders += panel.handle(input, view, at: now)
      look()
      _ = panel.picture(view, at: now)
      slowest = max(slowest, Duration(nanoseconds: ThreadTime.now - start))
    }

    mutating func press(_ action: PanelAction) {
      now = now + Duration(milliseconds: 500)
      (gestureCount, direction) = (gestureCount + 1, 0)
      handle(.action(action))
    }

    private mutating func click(_ step: Int, every milliseconds: Int64) {
      if step != direction {
        (gestureCount, direction) = (gestureCount + 1, step)
        now = now + Duration(milliseconds: 400)
      }
      now = now + Duration(milliseconds: milliseconds)
      clickCount += 1
      handle(.turn(step))
    }

    /// Turns to a row: fast until past the row, back slowly until past it again, then row by row.
    mutating func turn(to target: Int) {
      for pace in [8, 45, 150] as [Int64] where cursor != target {
        let step = cursor < target ? 1 : -1
        while (target - cursor) * step > 0 { click(step, every: pace) }
      }
    }
  }

  private static let stations = Array(SampleStations(40_000))

  private func finder(_ folder: DirectoryFolder) throws -> StationFinder {
    try folder.fill(Self.stations)
    let keeper = DirectoryKeeper(folder)
    _ = keeper.settled(at: at(0))
    return StationFinder(keeper, zone: "Europe/Berlin") { _ in "DE" }
  }

  @Test("Any station of the own country is stored in 12 gestures (G3)")
  func gestures() throws {
    let folder = DirectoryFolder()
    let finder = try finder(folder)
    defer { finder.finish() }
    var random = SeededGenerator(1)
    var (most, clicks, slowest) = (0, 0, Duration.zero)
    for _ in 0..<60 {
      var hand = Hand(finder)
      #expect(hand.list == .start)
      hand.press(.select)
      let total = try #require(hand.rows?.total)
      #expect(total > 1_000)
      let place = Int(random.next() % UInt64(total))
      hand.turn(to: place)
      hand.press(.select)
      hand.press(.mode)
      guard case .playFound(let heard)? = hand.orders.first, hand.orders == [.playFound(heard), .keepFound(heard)]
      else {
        Issue.record("\(hand.orders)")
        return
      }
      #expect(finder.station(heard)?.entry.countryCode == "DE")
      (most, clicks) = (max(most, hand.gestureCount), max(clicks, hand.clickCount))
      slowest = max(slowest, hand.slowest)
    }
    print("Near me: \(most) gestures at most, \(clicks) clicks, \(slowest.milliseconds) ms from gesture to picture.")
    #expect(most <= 12 && slowest.milliseconds <= Self.mostMilliseconds)
  }

  @Test("Any station is spelt with the knob, and each list arrives within 100 ms (G3)")
  func letters() throws {
    let folder = DirectoryFolder()
    let finder = try finder(folder)
    defer { finder.finish() }
    var random = SeededGenerator(2)
    var (gestures, slowest, count) = (0, Duration.zero, 0)
    while count < 30 {
      let name = FoldedText(Self.stations[Int(random.next() % 40_000)].name).description
      guard name.count > 3 else { continue }
      count += 1
      var hand = Hand(finder)
      hand.turn(to: 4)
      hand.press(.select)
      while case .letters(let beginning)? = hand.list {
        // The next letter of the name, or the row of all names with this beginning.
        let letter = name.dropFirst(beginning.count).first.map { String($0) }
        hand.turn(to: try #require(place(of: letter, beginning, in: finder)))
        hand.press(.select)
      }
      guard case .names(let beginning)? = hand.list else {
        Issue.record("\(String(describing: hand.list))")
        return
      }
      #expect(name.hasPrefix(beginning))
      hand.press(.select)
      hand.press(.mode)
      #expect(hand.orders.count == 2)
      gestures = max(gestures, hand.gestureCount)
      slowest = max(slowest, hand.slowest)
    }
    print("Letters: \(gestures) gestures at most, \(slowest.milliseconds) ms from gesture to picture.")
    #expect(gestures <= 30 && slowest.milliseconds <= Self.mostMilliseconds)
  }

  /// Returns the row for `letter` in the list of next letters; nil if missing.
  private func place(of letter: String?, _ beginning: String, in finder: StationFinder) -> Int? {
    var place = 0
    while true {
      let request = FindRequest(.letters(after: beginning), cursor: place)
      guard case .rows(let rows)? = finder.answer(request, tuned: nil, at: at(0)) else { return nil }
      for (offset, row) in rows.rows.enumerated() where row.name == letter ?? "" { return rows.from + offset }
      if place >= rows.total { return beginning.isEmpty ? nil : 0 }
      place += 5
    }
  }

  /// Debug builds are slower.
  private static let mostMilliseconds: Int32 =
    ProcessInfo.processInfo.environment["BAKELITE_OPTIMIZED"] == nil ? 2_000 : 100
}

/// The processor time of this thread (CLOCK_THREAD_CPUTIME_ID).
private enum ThreadTime {
  /// Processor time in nanoseconds.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
