import Units

/// Decides which messages to send after a broker has accepted the radio: discovery, availability, then the state. A
/// value; the caller passes the time.
struct LinkSession {
  /// Minimum interval of discovery messages, even if Home Assistant starts more often.
  private static let discoveryPause = Duration(milliseconds: 5_000)
  private static let statePause = Duration(milliseconds: 100)
  /// Minimum interval of state messages that differ only in the title: the broker stores each message.
  private static let titlePause = Duration(milliseconds: 1_000)

  private let discovery: DiscoveryMessages
  private let states: StateMessages

  private var needsDiscovery = true
  private var nextDiscovery = MonotonicTime.zero
  private var lastState = MonotonicTime.zero
  private var sentPresets: PresetOptions?
  private var sent: MqttMessage?
  private var sentRadio = RadioSnapshot()

  init(_ discovery: DiscoveryMessages, _ states: StateMessages) { (self.discovery, self.states) = (discovery, states) }

  /// Repeats discovery, because Home Assistant has started.
  mutating func handleBirth() { needsDiscovery = true }

  mutating func messages(
    _ radio: RadioSnapshot?, at now: MonotonicTime
  ) -> (messages: [MqttMessage], due: MonotonicTime) {
    guard let radio else { return ([], .never) }
    var messages: [MqttMessage] = []
    var due = MonotonicTime.never
    if needsDiscovery || sentPresets != radio.presets {
      if now >= nextDiscovery {
        messages = discovery.all(radio.presets) + [states.availability(true)]
        needsDiscovery = false
        nextDiscovery = now + Self.discoveryPause
        sentPresets = radio.presets
        sent = nil
      } else {
        due = nextDiscovery
      }
    }
    let state = states.state(radio)
    guard state != sent else { return (messages, due) }
    let next = radio.differsOnlyInTitle(from: sentRadio) ? lastState + Self.titlePause : lastState + Self.statePause
    if sent == nil || now >= next {
      messages.append(state)
      (sent, sentRadio, lastState) = (state, radio, now)
    } else {
      due = min(due, next)
    }
    return (messages, due)
  }
}
