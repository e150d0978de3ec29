import Bakelite
import Foundation
import Testing

/// The engine as one who uses the library has it: by one import.
struct LibraryTests {
  @Test("One import is enough to make a radio, to play, to tap the sound, to hear the events and to end")
  func oneImport() throws {
    let tapped = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    tapped.initialize(to: 0)
    defer { tapped.deallocate() }
    var rates: [Int] = []
    var settings = RadioSettings()
    settings.taps = [Tap(count, context: tapped, created: { rates.append(Int($0.rate.hertz)) })]
    let radio = try Radio(settings, OutputRequest(.null))
    var told: [Event] = []
    radio.onEvent = { event, _ in told.append(event) }
    radio.tune(StationRequest(url: Self.fixture))
    while radio.state != .stopped || told.isEmpty { radio.step(Duration(milliseconds: 100)) }
    guard case .fileComplete(let heard) = told.last(where: { if case .fileComplete = $0 { true } else { false } })
    else { return #expect(Bool(false), "\(told)") }
    #expect(rates == [44_100] && tapped.pointee >= Int(heard * 44_100) && heard > 1)
    #expect(radio.close().heard == heard)
  }

  /// A file of a few seconds.
  private static var fixture: String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return "file://" + tests.deletingLastPathComponent().path + "/Support/Fixtures/cbr-44100.mp3"
  }
}

@_noLocks @_noAllocation
private func count(_ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Int32>?, _ frames: Int) {
  guard let context else { return }
  context.assumingMemoryBound(to: Int.self).pointee &+= frames
}
