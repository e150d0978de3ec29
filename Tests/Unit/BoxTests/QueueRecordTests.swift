import Settings
import Testing
import Units

@testable import Box

@Suite struct QueueRecordTests {
  private static func stations(_ names: String...) -> [SavedQueue.Station] {
    names.map { SavedQueue.Station(name: $0, url: StationAddress("http://\($0).example/")) }
  }

  @Test("An unchanged queue is not stored, and follows the presets")
  func follows() {
    var record = QueueRecord(SavedQueue())
    record.fill(with: Self.stations("gone", "a"))
    record.update(Self.stations("gone", "a"), isPresets: false, at: at(0))
    record.update(Self.stations("a"), isPresets: true, at: at(1))
    #expect(record.followsPresets && record.due == .never)
    record.update(Self.stations("b"), isPresets: false, at: at(2))
    #expect(!record.followsPresets && record.queue.stations == Self.stations("b"))
    record.update(Self.stations("a"), isPresets: true, at: at(3))
    #expect(record.followsPresets, "it is what the presets are again")
  }

  @Test("A change is written after a second of rest, and within ten seconds without rest")
  func rests() {
    var record = QueueRecord(SavedQueue())
    record.update(Self.stations("a"), isPresets: false, at: at(0))
    #expect(record.due == at(1) && record.nextQueue(at: at(0.9)) == nil)
    #expect(record.nextQueue(at: at(1)) == SavedQueue(Self.stations("a")) && record.due == .never)
    #expect(record.nextQueue(at: at(99)) == nil && record.lastQueue() == nil)
    for step in 0..<30 {
      record.update(Self.stations("\(step)"), isPresets: false, at: at(20 + Double(step) / 2))
      if step < 20 { #expect(record.nextQueue(at: at(20 + Double(step) / 2)) == nil, "\(step)") }
    }
    #expect(record.due == at(30))
  }

  @Test("Writes are ten seconds apart, except the last")
  func interval() {
    var record = QueueRecord(SavedQueue())
    record.update(Self.stations("a"), isPresets: false, at: at(0))
    #expect(record.nextQueue(at: at(1)) != nil)
    record.update(Self.stations("b"), isPresets: false, at: at(2))
    #expect(record.due == at(11) && record.nextQueue(at: at(10.9)) == nil)
    #expect(record.lastQueue() == SavedQueue(Self.stations("b")) && record.lastQueue() == nil)
  }

  @Test("A repeated value is not a change")
  func sameAgain() {
    var record = QueueRecord(SavedQueue(Self.stations("a")))
    record.update(Self.stations("a"), isPresets: false, at: at(0))
    #expect(record.due == .never && !record.followsPresets)
  }
}
