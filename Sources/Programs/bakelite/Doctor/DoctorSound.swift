import AudioOutput
import Glibc
import Settings

struct DoctorSound {
  let device: String
  var board = Board().sound
  var look: Result<AlsaReport, SinkError>
  var cards: [String] = []
  var holder: (name: String, process: Int)?
  /// The name of the card's volume control; nil if it has none.
  var mixer: String?
  /// The scale of the card's volume control.
  var scale: MixerScale?
  var boot: BootConfig?
  var players = ["bakelite"]
  /// False if only `bakelite` itself is used, without settings.
  var isBox = true

  static func cards(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      guard let open = line.firstIndex(of: "["), let close = line[open...].firstIndex(of: "]") else { return nil }
      // A card's second line has no number.
      guard let number = line[..<open].split(separator: " ").first, Int(number) != nil else { return nil }
      return line[line.index(after: open)..<close].split(separator: " ").first.map { String($0) }
    }
  }

  var card: DoctorFinding {
    let subject = "sound card"
    switch look {
    case .success(let report):
      let rates = report.hertz.map { "\($0)" }.joined(separator: ", ")
      let bits = report.bits.map { "\($0)" }.joined(separator: ", ")
      return .ok(
        subject, "\"\(device)\" opens and supports \(bits) bits" + (rates.isEmpty ? "." : " at \(rates) Hz."))
    case .failure(.deviceBusy):
      guard let holder else {
        return .problem(subject, "\"\(device)\" is in use by another program.", mend: "sudo fuser -v /dev/snd/*")
      }
      if players.contains(where: { holder.name.hasPrefix($0) }) {
        return .ok(subject, "\"\(device)\" is in use by \(holder.name), which plays.")
      }
      let words = "\"\(device)\" is in use by \(holder.name)."
      return .problem(subject, words, mend: "kill \(holder.process)   # and disable its automatic start")
    case .failure(.deviceForbidden): return .forbidden(subject, "\"\(device)\"", "audio")
    case .failure(.noSuchDevice): return noCard(subject)
    case .failure(let error): return .problem(subject, error.description, mend: "sudo dmesg | grep -i snd")
    }
  }

  /// Names the parts between the radio and the card that lock, or wait for other threads, on the render thread.
  var path: DoctorFinding {
    let subject = "sound path"
    guard case .success(let report) = look else { return .skipped(subject, "The device could not be opened.") }
    guard !report.lockers.isEmpty else {
      return .ok(subject, "The path from the radio to \"\(device)\" has no locks.")
    }
    let parts = report.lockers.joined(separator: " and ")
    let card = cards.first { device.contains($0) } ?? cards.first
    var finding = DoctorFinding.ok(
      subject,
      "\"\(device)\" plays through \(parts), which locks on the render thread, so other programs can interrupt the "
        + "sound briefly.")
    finding.mend = "\(choosing(card ?? "NAME", "[audio]")); then only the radio can use the card"
    return finding
  }

  private func noCard(_ subject: String) -> DoctorFinding {
    let others = cards.isEmpty ? "there is no card at all" : "there are the cards \(cards.joined(separator: ", "))"
    let words = "There is no sound device \"\(device)\"; \(others)."
    if !board.overlay.isEmpty {
      // If the board's lines are present, the wiring or the card is at fault.
      let mend = BootConfig.mend(boot, board.overlay)
      return .missing(subject, words, mend: mend ?? "compare its wiring with the board's file; dmesg | grep -i asoc")
    }
    let mend = cards.first.map { choosing($0, "[audio] of bakelite.toml") }
    return .missing(subject, words, mend: mend ?? "connect a sound card; aplay -l lists the sound cards")
  }

  private func choosing(_ card: String, _ table: String) -> String {
    let device = "plughw:CARD=\(card)"
    return isBox ? "write device = \"\(device)\" in \(table)" : "play with --output alsa:\(device)"
  }

  func volume(_ place: Configuration.Audio.Volume) -> DoctorFinding {
    let subject = "mixer"
    if place == .software { return .ok(subject, "Bakelite sets the volume in software, as configured.") }
    if case .failure(.noSuchDevice) = look { return .skipped(subject, "There is no card.") }
    if let mixer { return .ok(subject, "The card's own control \"\(mixer)\" sets the volume\(scaleWords).") }
    if place == .auto { return .ok(subject, "The card has no volume control; Bakelite sets the volume in software.") }
    return .problem(
      subject, "The card has no volume control, but the settings require one.",
      mend: "write volume = \"auto\" in [audio] of bakelite.toml")
  }

  private var scaleWords: String {
    guard let scale else { return "" }
    let range = scale.range.map { "\($0)" }
    if scale.isInDecibels, let range { return ", \(range)" }
    let reason =
      range.map { "its driver's range, \($0), is too small or too large" } ?? "its driver states no range in dB"
    return " in \(scale.stepCount) equal steps, because \(reason)"
  }
}

extension DoctorSound {
  static func find(_ configuration: Configuration, _ board: Board) -> DoctorSound {
    let device = configuration.device(on: board)
    let look: Result<AlsaReport, SinkError>
    do throws(SinkError) {
      // "hw:" reports the formats of the hardware, "plughw:" also formats that the plug converts.
      look = .success(try AlsaReport(device: device.hasPrefix("plughw:") ? String(device.dropFirst(4)) : device))
    } catch {
      look = .failure(error)
    }
    var sound = DoctorSound(device: device, board: board.sound, look: look)
    sound.cards = cards(ProcFile.text("/proc/asound/cards"))
    sound.holder = holder(cards: sound.cards, device: device)
    let mixer = AlsaMixer(device: device)
    (sound.mixer, sound.scale) = (mixer?.name, mixer?.scale)
    sound.boot = BootConfig.own
    return sound
  }

  /// Returns the process that plays on the device's card, or on the first card if the device names none.
  private static func holder(cards: [String], device: String) -> (name: String, process: Int)? {
    guard let card = cards.first(where: { device.contains($0) }) ?? cards.first else { return nil }
    let status = ProcFile.text("/proc/asound/\(card)/pcm0p/sub0/status")
    guard let thread = ProcFile.number("owner_pid", in: status) else { return nil }
    let process = ProcFile.number("Tgid", in: ProcFile.text("/proc/\(thread)/status")) ?? thread
    let name = ProcFile.text("/proc/\(process)/comm").prefix { !$0.isNewline }
    return name.isEmpty ? nil : (String(name), process)
  }
}
