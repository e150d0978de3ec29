import Units

/// What is told to a broker that has accepted the radio, and when: first what the radio has, then that it is there,
/// then what it does. A value that is told the time.
struct LinkSession {
  /// Home Assistant may start as often as it likes: it is told all at most once in so long.
  private static let discoveryPause = Duration(milliseconds: 5_000)
  /// What the radio does is told at most so often.
  private static let statePause = Duration(milliseconds: 100)

  private let discovery: DiscoveryMessages
  private let states: StateMessages

  private var needsDiscovery = true
  private var nextDiscovery = MonotonicTime.zero
  private var nextState = MonotonicTime.zero
  private var toldPresets: PresetOptions?
  private var told: MqttMessage?

  init(_ discovery: DiscoveryMessages, _ states: StateMessages) { (self.discovery, self.states) = (discovery, states) }

  /// Home Assistant has started: it is to be told all.
  mutating func hearBirth() { needsDiscovery = true }

  /// What is to be published now, and when to ask again though nothing changes.
  mutating func messages(
    _ radio: RadioSnapshot?, at now: MonotonicTime
  ) -> (messages: [MqttMessage], due: MonotonicTime) {
    guard let radio else { return ([], .never) }
    var messages: [MqttMessage] = []
    var due = MonotonicTime.never
    if needsDiscovery || toldPresets != radio.presets {
      if now >= nextDiscovery {
        messages = discovery.all(radio.presets) + [states.availability(true)]
        (needsDiscovery, nextDiscovery, toldPresets, told) = (false, now + Self.discoveryPause, radio.presets, nil)
      } else {
        due = nextDiscovery
      }
    }
    let state = states.state(radio)
    guard state != told else { return (messages, due) }
    if told == nil || now >= nextState {
      messages.append(state)
      (told, nextState) = (state, now + Self.statePause)
    } else {
      due = min(due, nextState)
    }
    return (messages, due)
  }
}
