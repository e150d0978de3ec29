import AudioOutput
import Foundation
import Network
import RadioEngine
import Units

/// A radio on a test's bench: it plays into a file, and all that it tells is kept.
public final class RadioRig {
  /// The radio.
  public let radio: Radio
  /// All events so far, with the radio's time of each.
  public private(set) var events: [(time: Double, event: Event)] = []

  private let folder = TemporaryFolder()
  private var cursor = 0
  private let punctuality = Punctuality()

  /// A radio that takes sound as fast as it comes or, if `isPaced`, in real time, with so much in the sink.
  public init(
    _ settings: RadioSettings = .bench, isPaced: Bool = false, format: String? = nil, bufferMilliseconds: Int = 200
  ) throws {
    var output = OutputRequest(.raw(folder.path + "/pcm"))
    output.isPaced = isPaced
    output.bufferMilliseconds = bufferMilliseconds
    output.format = format.flatMap { PcmFormat($0) }
    radio = try Radio(settings, output, clock: TestClock.current.clock)
    radio.onEvent = { [unowned self] event, time in events.append((time, event)) }
  }

  /// A radio that plays elsewhere.
  public init(_ settings: RadioSettings, to output: OutputRequest) throws {
    radio = try Radio(settings, output, clock: TestClock.current.clock)
    radio.onEvent = { [unowned self] event, time in events.append((time, event)) }
  }

  /// A radio that plays a file in real time, at its own rate in 24 bits, and holds less than all of it; once it can go
  /// anywhere in it.
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

  /// Lets the radio run until something is so; false when that takes longer than so many seconds.
  public func run(_ seconds: Double = 20, until isDone: () -> Bool) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while !isDone() {
      if monotonicSeconds() > deadline { return false }
      radio.step(Duration(milliseconds: 20))
    }
    return true
  }

  /// Lets the radio run so long.
  public func run(for seconds: Double) {
    let end = monotonicSeconds() + seconds
    _ = run(seconds + 1) { monotonicSeconds() >= end }
  }

  /// Waits for the next event of a name, after the one that was waited for last; nil when it does not come in time.
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

  /// Lets the radio run until it stopped by itself.
  public func playOut(within seconds: Double = 20) -> Bool { run(seconds) { radio.state == .stopped } }

  /// The names of all events so far.
  public var names: [String] { events.map(\.event.name) }

  /// All events of a name so far.
  public func all(_ name: String) -> [Event] { events.map(\.event).filter { $0.name == name } }

  /// The moment of the first event of a name.
  public func time(of name: String) -> Double? { events.first { $0.event.name == name }?.time }

  /// Whether this machine was too busy to play in real time, and there was a gap, so that PCM cannot be compared.
  public var wasLate: Bool {
    let status = radio.status
    return (status.underruns > 0 || status.xruns > 0) && punctuality.isPoor
  }

  /// How many bytes of PCM there are so far.
  public var pcmCount: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/pcm")
    return (attributes?[.size] as? Int) ?? 0
  }

  /// The PCM so far.
  public var pcm: [UInt8] { folder.bytes(of: "pcm") }
}

/// A test that fails shows what its expectation is about, and would look into types that cannot be copied.
extension RadioRig: CustomReflectable {
  /// Nothing of it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RadioSettings {
  /// Small and quick.
  public static var bench: RadioSettings {
    var settings = RadioSettings()
    settings.blockCount = 300
    return settings
  }
}
