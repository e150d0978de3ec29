enum HealthCondition: Equatable {
  /// Audio plays, or is not expected. The text is the state in one word.
  case good(String)
  /// Audio is expected but missing. `reason` is public; `told` is the radio's own message, perhaps with an address or a
  /// file.
  case bad(String, reason: String, told: String? = nil)

  /// Creates the condition for a status; nil without a radio.
  init(_ status: StatusSnapshot?) {
    guard let status else {
      self = .bad("absent", reason: "No radio answers.")
      return
    }
    let told = status["error"] ?? status["problem"]
    if status["room_connected"] != nil {
      let isBad = !status.isOn("room_connected")
      self = isBad ? .bad("room", reason: "The room is not connected to its snapserver.", told: told) : .good("room")
      return
    }
    let state = status["state"] ?? "stopped"
    let isLent = status["suspended_by"] != nil || status["suspended_for"] != nil
    switch (state, status.isOn("audible")) {
    case _ where status.isOn("standby"): self = .good("off")
    case _ where isLent: self = .good("suspended")
    // The sound card is missing, or the machine was asleep: playback resumes by itself.
    case _ where status.isOn("suspended"):
      self = .bad("suspended", reason: "The sound device is missing.", told: told)
    case ("stopped", _) where ["stopped", "standby"].contains(status["intent"]): self = .good("stopped")
    case ("stopped", _):
      self = told.map { .bad("stopped", reason: Self.sentence(of: status["fault"]), told: $0) } ?? .good("stopped")
    case ("paused", _): self = .good("paused")
    // The buffer plays while the station reconnects.
    case (_, true): self = .good(state)
    case ("playing", false) where status.isOn("muted"): self = .good("muted")
    default: self = .bad(state, reason: Self.sentence(of: status["fault"]), told: told)
    }
  }

  /// Returns a sentence: "No sound comes: no such host." for `noSuchHost`.
  private static func sentence(of fault: String?) -> String {
    guard let fault, !fault.isEmpty, fault.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else {
      return "No sound comes."
    }
    let words = fault.flatMap { $0.isUppercase ? " " + $0.lowercased() : String($0) }
    return "No sound comes: \(String(words))."
  }

  var state: String {
    switch self {
    case .good(let state), .bad(let state, _, _): state
    }
  }
}
