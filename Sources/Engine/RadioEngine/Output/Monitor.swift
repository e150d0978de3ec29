import Blocks
import Metering
import Units

/// Measures levels and spectrum of the audible audio on request. Control thread only.
///
/// Without requests, nothing is copied or computed.
final class Monitor {
  private let ring: UnsafePointer<MonitorRing>
  private let output: any OutputControl
  private let frames: UnsafeMutableBufferPointer<UInt32>
  private var origin = 0
  private var lastLook = MonotonicTime.zero
  private var meter = LevelMeter()
  private var spectrum: Spectrum?

  /// Time without requests after which measurement stops.
  private static let patience = Duration(milliseconds: 10_000)
  /// Maximum frames per measurement: 100 ms at 48 kHz.
  private static let frameCount = 4_800

  init(_ output: any OutputControl) {
    ring = output.monitor
    self.output = output
    frames = .allocate(capacity: Self.frameCount)
  }

  deinit { frames.deallocate() }

  func attend(at now: MonotonicTime) {
    if ring.pointee.isOn, now - lastLook > Self.patience { ring.pointee.want(false) }
  }

  /// Returns the level of both channels: silence without audio, and on the first call.
  func levels(isSounding: Bool, at now: MonotonicTime) -> LevelMeter {
    meter.measure(readFrames(isSounding, now), at: now)
    return meter
  }

  /// Returns the levels of 16 or 20 bands.
  func spectrum(bands count: Int, rate: SampleRate, isSounding: Bool, at now: MonotonicTime) -> [Decibels] {
    if spectrum?.bands.count != count || spectrum?.bands.rate != rate {
      spectrum = Spectrum(bands: SpectrumBands(count: count, rate: rate))
    }
    return spectrum?.levels(readFrames(isSounding, now, last: Spectrum.frameCount)) ?? []
  }

  /// Returns the last frames of a measurement, at most `last`.
  private func readFrames(
    _ isSounding: Bool, _ now: MonotonicTime, last: Int = frameCount
  ) -> UnsafeBufferPointer<UInt32> {
    lastLook = now
    if !ring.pointee.isOn {
      origin = ring.pointee.count
      ring.pointee.want(true)
    }
    guard isSounding else { return UnsafeBufferPointer(rebasing: frames[..<0]) }
    let room = UnsafeMutableBufferPointer(rebasing: frames[..<last])
    let count = ring.pointee.read(into: room, since: origin, delay: output.cardDelay, of: Self.frameCount)
    return UnsafeBufferPointer(rebasing: frames[..<count])
  }
}
