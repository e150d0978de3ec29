import AudioOutput
import Control
import Network
import RadioEngine
import Recordings
import Settings
import System
import Units

final class Tuner {
  let radio: Radio
  let player: PlayerController
  /// Name of the card with the mixer; nil if the mixer is not used.
  private let card: String?
  private var mixer: AlsaMixer?
  /// The playing station's gain in dB.
  private var stationGain = 0.0
  /// The gain of the sleep timer's fade, in dB.
  private var fadeGain = 0.0
  /// The gain set by `radio_gain`, in dB.
  private var ownerGain = 0.0

  /// `hasFallback`: true if a station may have a fallback.
  init(
    _ configuration: Configuration, _ board: Board, _ output: OutputRequest, hasFallback: Bool = false, _ clock: Clock
  ) throws(RadioError) {
    var settings = Self.settings(configuration, isMono: board.sound.isMono)
    settings.receivesFirstChoice = hasFallback
    radio = try Radio(settings, output, clock: clock)
    player = PlayerController(radio)
    player.adopt(Self.policy(configuration.prefetch))
    receivesFirstChoice = hasFallback && configuration.buffer.blocks >= Limits.prefetchBlockCount
    card = if case .alsa(let device) = output.kind, configuration.audio.volume != .software { device } else { nil }
    needsMixer = configuration.audio.volume == .hardware
    player.fallback.replacesAds = replacesAds(configuration)
    if radio.deviceFailure == nil { openMixer() }
    player.volume.connect { [unowned self] _, _ in
      apply()
    } gain: { [unowned self] decibels in
      ownerGain = decibels
      apply()
    }
  }

  /// Returns the configured sink. `override`: the sink of the command line, which replaces it; nil without.
  static func output(_ configuration: Configuration, _ board: Board, _ override: String?) -> OutputRequest? {
    let sink: OutputRequest.Kind =
      switch configuration.audio.output {
      case .alsa, .room: .alsa(configuration.device(on: board))
      case .snapcast: .snapcast(configuration.snapcast.pipe)
      }
    var request = override.map { OutputRequest($0) } ?? OutputRequest(sink)
    request?.serverMilliseconds = configuration.snapcast.bufferMilliseconds
    request?.periodMilliseconds = configuration.audio.periodMilliseconds
    request?.bufferMilliseconds = configuration.audio.bufferMilliseconds
    request?.waitsForDevice = true
    return request
  }

  private static func policy(_ prefetch: PrefetchSettings) -> PlayerPolicy {
    var policy = PlayerPolicy()
    policy.prefetchCount = prefetch.count
    let megabytes = prefetch.maxMegabytesPerHour
    policy.maxPrefetchBytes = megabytes > 0 ? megabytes * 1_000_000 : nil
    return policy
  }

  private static func settings(_ configuration: Configuration, isMono: Bool) -> RadioSettings {
    let buffer = configuration.buffer
    var settings = RadioSettings()
    settings.isMono = isMono || configuration.audio.isMono
    settings.mp3Decoder = configuration.decoding.mp3 == .mpg123 ? .mpg123 : .mad
    settings.blockCount = buffer.blocks
    settings.lowersAds = configuration.continuity.ads == .quiet
    settings.prefetchCount = configuration.prefetch.count
    settings.secondSource = secondSource(configuration)
    settings.waitLive = StreamTime(seconds: buffer.waitLive)
    settings.waitFile = StreamTime(seconds: buffer.waitFile)
    settings.throttleBypass = StreamTime(seconds: buffer.throttleBypass)
    settings.liveSafety = StreamTime(seconds: buffer.liveSafety)
    settings.pauseTimeout = Duration(seconds: buffer.pauseTimeout)
    settings.recording = RecordingSettings(configuration.recording)
    settings.startPolicy = buffer.start == .fixed ? .fixed : .adaptive
    return settings
  }

  /// Returns the rule for a second connection; a metered line has none.
  private static func secondSource(_ configuration: Configuration) -> SecondSourceRule {
    if configuration.prefetch.isMetered { return SecondSourceRule() }
    let use: SecondSourceRule.Use =
      switch configuration.continuity.secondSource {
      case .never: .never
      case .onTrouble: .onTrouble
      case .always: .always
      }
    let megabytes = configuration.continuity.maxMegabytesPerDay
    return SecondSourceRule(use, maxBytesPerDay: megabytes > 0 ? megabytes * 1_000_000 : nil)
  }

  /// True if the radio can receive a station in the background, so that it can return after an ad.
  private let receivesFirstChoice: Bool

  private func replacesAds(_ configuration: Configuration) -> Bool {
    configuration.continuity.ads == .other && receivesFirstChoice
  }

  /// Applies the changed settings of `[continuity]`.
  func use(_ configuration: Configuration) {
    radio.lowersAds = configuration.continuity.ads == .quiet
    player.fallback.replacesAds = replacesAds(configuration)
    radio.secondSource = Self.secondSource(configuration)
  }

  // MARK: Loudness

  private let needsMixer: Bool

  /// Reopens the mixer of a card that is connected again, and restores the volume, which the card may have changed.
  func reopenCard() {
    openMixer()
    apply()
  }

  private func openMixer() {
    mixer = card.flatMap { AlsaMixer(device: $0) }
    if mixer == nil, needsMixer {
      log(.warning, "The sound card has no volume of its own; the volume is set in the samples instead.")
    }
  }

  /// Applies the playing station's gain, in dB.
  func setStation(gain: Double) {
    guard gain != stationGain else { return }
    stationGain = gain
    apply()
  }

  /// Lowers the volume before the end of the sleep timer, in dB.
  func fade(to gain: Double) {
    guard gain != fadeGain else { return }
    fadeGain = gain
    apply()
  }

  private func apply() {
    let volume = player.volume.isMuted ? nil : SoftwareVolume.decibels(player.volume.percent)
    let gain = stationGain + ownerGain + fadeGain
    if setMixer(volume) { return radio.setLoudness(gain) }
    radio.setLoudness(volume.map { $0 + gain })
  }

  private func setMixer(_ volume: Double?) -> Bool {
    guard let mixer else { return false }
    return volume.map { mixer.set(percent: player.volume.percent, decibels: $0) } ?? mixer.mute()
  }
}
