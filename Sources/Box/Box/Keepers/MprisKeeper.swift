import CLinux
import Control
import Mpris
import Settings
import Units

/// Serves media keys and desktop applets on the configured bus, and reconnects to a lost bus. Control thread only;
/// nothing blocks.
final class MprisKeeper {
  /// The bus; nil if the settings name no bus, or without libsystemd.
  private let bus: MprisBus?
  /// Receives the descriptor of a connection (`bk_watch`).
  private let watch: Int32
  private var service: MprisService?
  private var nextTry = MonotonicTime.zero
  /// True after a failure was logged, until a connection lasts.
  private var hasReported = false
  /// True after the success was logged, until a failure is logged.
  private var isShown = false
  private var connectedAt = MonotonicTime.zero

  private static let retryInterval = Duration(milliseconds: 5_000)
  /// Duration of a connection after which its end is logged again.
  private static let lasting = Duration(milliseconds: 60_000)

  /// Loads libsystemd if the settings name a bus. The first `attend` connects.
  init(_ setting: MprisSettings.Bus, watch: Int32) {
    self.watch = watch
    let bus: MprisBus? =
      switch setting {
      case .none: nil
      case .session: .session
      case .system: .system
      }
    self.bus = bus == nil || MprisBus.loadLibrary() ? bus : nil
    guard bus != nil, self.bus == nil else { return }
    log(.warning, "MPRIS is off, because libsystemd is missing; install the package libsystemd0.")
  }

  /// The time of the next attempt to connect.
  var due: MonotonicTime { bus == nil || service != nil ? .never : nextTry }

  /// Announces the next position as a jump.
  func seek() { service?.seek() }

  /// Passes clients' orders to `apply`, and announces changes of the player. `hasPresets`: true if presets exist.
  func attend(_ player: PlayerController, hasPresets: Bool, at now: MonotonicTime, _ apply: (MprisOrder) -> Void) {
    guard let bus else { return }
    connect(to: bus, at: now)
    guard let service else { return }
    if let failure = service.attend(player, hasPresets: hasPresets, at: now.seconds, apply) {
      self.service = nil
      nextTry = now + Self.retryInterval
      if now - connectedAt >= Self.lasting { hasReported = false }
      return report("\(failure.words(about: bus)); the radio tries again.")
    }
    guard service.isNamed, !isShown else { return }
    isShown = true
    log(.notice, "Media keys and desktop applets find the radio on the \(bus.name).")
  }

  private func connect(to bus: MprisBus, at now: MonotonicTime) {
    guard service == nil, now >= nextTry else { return }
    nextTry = now + Self.retryInterval
    guard let made = MprisService(bus, canQuit: false) else {
      return report("The radio does not reach the \(bus.name) for MPRIS, and tries again.")
    }
    bk_watch(watch, made.descriptor, false)
    service = made
    connectedAt = now
  }

  private func report(_ words: String) {
    guard !hasReported else { return }
    log(.warning, words)
    (hasReported, isShown) = (true, false)
  }
}
