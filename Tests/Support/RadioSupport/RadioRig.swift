import AudioOutput
import Foundation
import Network
import RadioEngine
import TestSupport
import Units

/// A radio for tests: it plays into a file, and all events are recorded.
public final class RadioRig {
  /// The radio.
  public let radio: Radio
  /// All events so far, with the radio's time of each in seconds.
  public private(set) var events: [(time: Double, event: Event)] = []

  private let folder = TemporaryFolder()
  private var cursor = 0
  private let punctuality = Punctuality()

  /// Creates a radio that plays as fast as possible or, if `isPaced`, in real time. `bufferMilliseconds`: the size of
  /// the sink's buffer.
  public init(
    _ settings: RadioSettings = .bench, isPaced: Bool = false, format: String? = nil, bufferMilliseconds: Int = 200
  ) throws {
    var output = OutputRequest(.raw(folder.path + "/pcm"))
    output.isPaced = isPaced
    output.bufferMilliseconds = bufferMilliseconds
    output.format = format.flatMap { PcmFormat($0) }
    radio = try Radio(settings, output, clock: TestClock.current.clock)
    radio.onEvent = { [unowned self] event, time in events.append((time, event)) }
    EventTrace.record(radio)
  }

  /// Creates a radio with another output.
  public init(_ settings: RadioSettings, to output: OutputRequest) throws {
    radio = try Radio(settings, output, clock: TestClock.current.clock)
    radio.onEvent = { [unowned self] event, time in events.append((time, event)) }
    EventTrace.record(radio)
  }

  /// Creates a radio that plays a file in real time at `rate` with 24 bits. Its buffer is smaller than the file.
  /// Returns when all positions of the file can be reached.
  public static func seeking(in url: String, rate: Int) throws -> RadioRig {
    var settings = RadioSettings.bench
    settings.blockCount = 120
    settings.hold.waitFile = StreamTime(seconds: 1)
    let rig = try RadioRig(settings, isPaced: true, format: "s24le/\(rate)/2", bufferMilliseconds: 40)
    rig.tune(url)
    guard rig.next("playing") != nil, rig.run(until: { rig.radio.isFileSeekAllowed }) else {
      throw POSIXError(.ETIMEDOUT)
    }
    return rig
  }

  /// Tunes to an address.
  public func tune(_ url: String, _ adapt: (inout StationRequest) -> Void = { _ in }) {
    var request = StationRequest(url: url)
    adapt(&request)
    radio.tune(request)
  }

  /// Runs the radio until a condition holds. Returns false after `seconds`.
  public func run(_ seconds: Double = 20, until isDone: () -> Bool) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while !isDone() {
      if monotonicSeconds() > deadline { return false }
      radio.step(Duration(milliseconds: 20))
    }
    return true
  }

  /// Runs the radio for `seconds`.
  public func run(for seconds: Double) {
    let end = monotonicSeconds() + seconds
    _ = run(seconds + 1) { monotonicSeconds() >= end }
  }

  /// Runs the radio until the next event with this name. Each event is returned once. Returns nil on a timeout.
  @discardableResult
  public func next(_ name: String, within seconds: Double = 20) -> Event? {
    var found: Event?
    _ = run(seconds) {
      while found == nil, cursor < events.count {
        if events[cursor].event.name == name { found = events[cursor].event }
        cursor += 1
      }
      return found != nil
    }
    return found
  }

  /// Runs the radio until it has stopped by itself. Returns false on a timeout.
  public func playOut(within seconds: Double = 20) -> Bool { run(seconds) { radio.state == .stopped } }

  /// The names of all events so far.
  public var names: [String] { events.map(\.event.name) }

  /// Returns all events with this name.
  public func events(_ name: String) -> [Event] { events.map(\.event).filter { $0.name == name } }

  /// Returns the time of the first event with this name.
  public func time(of name: String) -> Double? { events.first { $0.event.name == name }?.time }

  /// True if there was a gap because this machine was too busy, so that PCM cannot be compared.
  public var wasLate: Bool {
    let status = radio.status
    return (status.underruns > 0 || status.xruns > 0) && punctuality.wasLate
  }

  /// Number of PCM bytes so far.
  public var pcmCount: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/pcm")
    return (attributes?[.size] as? Int) ?? 0
  }

  /// The PCM so far.
  public var pcm: [UInt8] { folder.bytes(of: "pcm") }
}

/// Without this mirror, a failed test would try to show types that cannot be copied.
extension RadioRig: CustomReflectable {
  /// An empty mirror.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RadioSettings {
  /// Settings for a small ring.
  public static var bench: RadioSettings {
    var settings = RadioSettings()
    settings.blockCount = 300
    return settings
  }
}

extension RadioRig {
  /// Returns true if an assertion holds, if `excuse` is true, or if there was a gap because this machine was too busy.
  /// `ExcuseCounter` counts each call. Use the call as the whole condition of an `#expect`.
  public func holdsUnlessLate(_ holds: Bool, or excuse: @autoclosure () -> Bool = false) -> Bool {
    ExcuseCounter.count(holds) { wasLate || excuse() }
  }
}
