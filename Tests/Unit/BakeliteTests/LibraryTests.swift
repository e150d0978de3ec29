import Bakelite
import Foundation
import Testing

/// The engine as one who uses the library has it: by one import.
struct LibraryTests {
  @Test("One import is enough to create a radio, play, tap, observe and end")
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
    radio.tune(Fixture.request)
    while radio.state != .stopped || told.isEmpty { radio.step(Duration(milliseconds: 100)) }
    guard case .fileComplete(let heard) = told.last(where: { if case .fileComplete = $0 { true } else { false } })
    else { return #expect(Bool(false), "\(told)") }
    #expect(rates == [44_100] && tapped.pointee >= Int(heard * 44_100) && heard > 1)
    #expect(radio.close().heard == heard)
  }

  /// A radio that plays in real time, or as fast as its decoder decodes.
  private static func radio(isPaced: Bool = false) throws -> Radio {
    var output = OutputRequest(.null)
    output.isPaced = isPaced
    return try Radio(RadioSettings(), output)
  }

  @Test("The version has three numbers")
  func version() {
    #expect(Radio.version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
  }

  @Test("run returns at the end of the programme, and at once without one")
  func run() throws {
    let radio = try Self.radio()
    var told: [String] = []
    radio.addObserver { event, _ in told.append(event.name) }
    radio.run()
    #expect(told == [])
    radio.tune(Fixture.request)
    radio.run()
    #expect(radio.state == .stopped && radio.failure == nil && told.suffix(2) == ["fileComplete", "stopped"])
    radio.tune(StationRequest(path: "/nowhere/song.mp3"))
    radio.run()
    #expect(radio.state == .stopped && radio.failure != nil)
    _ = radio.close()
  }

  @Test("run serves a pause for its duration, and ends when an observer stops it")
  func runForSome() throws {
    let radio = try Self.radio(isPaced: true)
    radio.tune(Fixture.request)
    radio.pause()
    let before = radio.time
    radio.run(for: Duration(milliseconds: 50))
    #expect(radio.state == .paused && radio.time - before >= 0.05)
    var told: [Event] = []
    radio.addObserver { [unowned radio] event, _ in
      told.append(event)
      if case .playing = event { radio.stop() }
    }
    radio.resume()
    radio.run()
    #expect(radio.state == .stopped && told.contains(.stopped(.user)))
    _ = radio.close()
  }
}

/// A file of a few seconds.
enum Fixture {
  static var request: StationRequest {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return StationRequest(path: tests.deletingLastPathComponent().path + "/Support/Fixtures/cbr-44100.mp3")
  }
}

@_noLocks @_noAllocation
private func count(_ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Int32>?, _ frames: Int) {
  guard let context else { return }
  context.assumingMemoryBound(to: Int.self).pointee &+= frames
}
