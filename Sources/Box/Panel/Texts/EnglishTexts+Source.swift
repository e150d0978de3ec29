extension EnglishTexts {
  var tone: FittedText { "Tone" }

  func instead(_ source: PanelSource) -> String {
    let name = source.station.isEmpty ? "the station" : source.station
    let since = source.since.map { " since \($0.text)" } ?? ""
    let head = source.kind == .address ? "Other address" : "Instead of \(name)"
    // A fault is the fault of the address before, but a slow line is still slow.
    let link = source.kind == .address && source.reason != .slowLine ? ". Before: " : ": "
    return [head + since + link + reason(source.reason), next(source.next)].compactMap { $0 }.joined(separator: ". ")
  }

  private func reason(_ reason: PanelSource.Reason) -> String {
    switch reason {
    case .choice: "Your choice"
    case .noAudio: "No audio"
    case .quiet: "Only silence"
    case .loop: "Audio repeats"
    case .unplayable: "Not playable"
    case .slowLine: "Line too slow"
    case .ad: "Ad on the station"
    case .fault(let fault): self.fault(fault).what.forms[0]
    }
  }

  private func next(_ next: PanelSource.Next) -> String? {
    switch next {
    case .never: nil
    case .now: "Trying it now"
    case .later(let clock): clock.map { "Next try \($0.text)" } ?? "Next try soon"
    }
  }
}
