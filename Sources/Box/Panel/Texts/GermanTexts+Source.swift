extension GermanTexts {
  var tone: FittedText { "Signalton" }

  func instead(_ source: PanelSource) -> String {
    let name = source.station.isEmpty ? "des Senders" : source.station
    let since = source.since.map { " seit \($0.text)" } ?? ""
    let head = source.kind == .address ? "Andere Adresse" : "Statt \(name)"
    // A fault is the fault of the address before, but a slow line is still slow.
    let link = source.kind == .address && source.reason != .slowLine ? ". Vorher: " : ": "
    return [head + since + link + reason(source.reason), next(source.next)].compactMap { $0 }.joined(separator: ". ")
  }

  private func reason(_ reason: PanelSource.Reason) -> String {
    switch reason {
    case .choice: "Deine Wahl"
    case .noAudio: "Kein Ton"
    case .quiet: "Nur Stille"
    case .loop: "Ton wiederholt sich"
    case .unplayable: "Nicht abspielbar"
    case .slowLine: "Leitung zu langsam"
    case .ad: "Werbung beim Sender"
    case .fault(let fault): self.fault(fault).what.forms[0]
    }
  }

  private func next(_ next: PanelSource.Next) -> String? {
    switch next {
    case .never: nil
    case .now: "Neuer Versuch läuft"
    case .later(let clock): clock.map { "Nächster Versuch \($0.text)" } ?? "Bald neuer Versuch"
    }
  }
}
