import AudioOutput
import Blocks
import PanelLinux
import Settings
import Testing

@testable import bakelite

@Suite struct DoctorFindingTests {
  typealias Verdict = DoctorFinding.Verdict

  // MARK: The sound card

  static let cardCases: [(Result<AlsaReport, SinkError>, Verdict, said: String, mend: String)] = [
    (.success(AlsaReport(bits: [16, 32], hertz: [44_100, 48_000])), .ok, "16, 32 bits at 44100, 48000 Hz", ""),
    (.failure(.noSuchDevice("x", existing: [])), .missing, "the cards Headphones", "'dtoverlay=hifiberry'"),
    (.failure(.deviceForbidden("x")), .problem, "may not open", "usermod -aG audio"),
    (.failure(.deviceBusy("x")), .problem, "in use by another", "fuser"),
    (.failure(.deviceUnsuitable("x", what: "16, 24 or 32 bits")), .problem, "does not support", "dmesg"),
    (.failure(.deviceFailed("x", message: "broken")), .problem, "broken", "dmesg"),
  ]

  @Test("The result of opening decides about a card", arguments: cardCases)
  func card(_ look: Result<AlsaReport, SinkError>, _ verdict: Verdict, said: String, mend: String) {
    var sound = DoctorSound(device: "plughw:CARD=x", look: look)
    sound.cards = ["Headphones"]
    sound.board.overlay = ["dtoverlay=hifiberry"]
    expect(sound.card, verdict, said, mend)
  }

  @Test("The text of a board file cannot leave doctor's shell command")
  func quotedOverlay() {
    let mend = BootConfig.mend(BootConfig(path: "/b", text: ""), ["dtoverlay=a'; reboot; '\u{1B}"])
    #expect(mend == #"printf '%s\n' 'dtoverlay=a'\''; reboot; '\''?' | sudo tee -a /b && sudo reboot"#)
  }

  @Test("A card in use by the radio is well, and another program is named")
  func busy() {
    var sound = DoctorSound(device: "hw:0", look: .failure(.deviceBusy("hw:0")))
    sound.holder = ("bakelited", 700)
    expect(sound.card, .ok, "is in use by bakelited, which plays", "")
    sound.holder = ("mpd", 701)
    expect(sound.card, .problem, "in use by mpd", "kill 701")
  }

  @Test(
    "A missing card with overlay points to the wires, without overlay to another card (D3)")
  func missingCard() {
    var sound = DoctorSound(device: "plughw:CARD=x", look: .failure(.noSuchDevice("x", existing: [])))
    sound.board.overlay = ["dtoverlay=hifiberry-dac"]
    sound.boot = BootConfig(path: "/boot/config.txt", text: "dtoverlay=hifiberry-dac\n")
    expect(sound.card, .missing, "no card at all", "wiring")
    sound.board.overlay = []
    expect(sound.card, .missing, "no card at all", "connect a sound card")
    sound.cards = ["Device"]
    expect(sound.card, .missing, "the cards Device", "device = \"plughw:CARD=Device\"")
  }

  @Test("Lockable parts of a device are reported with an alternative, not as a fault")
  func path() {
    var report = AlsaReport(bits: [16], hertz: [48_000])
    var sound = DoctorSound(device: "hw:0", look: .success(report))
    expect(sound.path, .ok, "The path from the radio to \"hw:0\" has no locks", "")
    report.lockers = ["dmix", "softvol"]
    sound = DoctorSound(device: "default", look: .success(report))
    expect(
      sound.path, .ok, "plays through dmix and softvol, which locks on the render thread", "plughw:CARD=NAME")
    sound.cards = ["Headphones", "sndrpihifiberry"]
    expect(sound.path, .ok, "locks", "write device = \"plughw:CARD=Headphones\" in [audio]")
    sound.look = .failure(.deviceBusy("default"))
    expect(sound.path, .skipped, "could not be opened", "")
  }

  static let mixers: [(Configuration.Audio.Volume, String?, Verdict, String)] = [
    (.auto, "Digital", .ok, "\"Digital\""), (.auto, nil, .ok, "sets the volume in software"),
    (.hardware, "Digital", .ok, "\"Digital\""), (.hardware, nil, .problem, "no volume control"),
    (.software, "Digital", .ok, "sets the volume in software"),
  ]

  @Test("The settings decide about the mixer", arguments: mixers)
  func mixer(_ place: Configuration.Audio.Volume, _ name: String?, _ verdict: Verdict, _ said: String) {
    var sound = DoctorSound(device: "hw:0", look: .success(AlsaReport(bits: [16], hertz: [])))
    sound.mixer = name
    expect(sound.volume(place), verdict, said, verdict == .ok ? "" : "volume = \"auto\"")
    sound.look = .failure(.noSuchDevice("hw:0", existing: []))
    #expect(sound.volume(place).verdict == (place == .software ? .ok : .skipped))
  }

  @Test(
    "The scale of the mixer is shown with its reason",
    arguments: [
      (MixerScale(steps: 0...127, range: .init(least: -6_350, most: 0)), "sets the volume, -63.5 to 0 dB."),
      (
        MixerScale(steps: 0...37, range: .init(least: -14, most: 0)),
        "because its driver's range, -0.14 to 0 dB, is too"
      ),
      (MixerScale(steps: 0...128, range: nil), "in 128 equal steps, because its driver states no range in dB."),
    ])
  func scale(_ scale: MixerScale, _ words: String) {
    var sound = DoctorSound(device: "hw:0", look: .success(AlsaReport(bits: [16], hertz: [])))
    (sound.mixer, sound.scale) = ("PCM", scale)
    expect(sound.volume(.auto), .ok, words, "")
  }

  @Test("Card ids are read from the brackets")
  func cards() {
    let text = """
       0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                            bcm2835 Headphones [not this]
      10 [sndrpihifiberry]: RPi-simple - snd_rpi_hifiberry_dac
                            snd_rpi_hifiberry_dac
      """
    #expect(DoctorSound.cards(text) == ["Headphones", "sndrpihifiberry"])
    #expect(DoctorSound.cards("--- no soundcards ---\n") == [])
    #expect(DoctorSound.cards("]\n[\n 1 [\n 2 []:\n") == [])
  }

  @Test(
    "Lines of config.txt are found despite parameters, spaces and comments",
    arguments: [
      ("dtoverlay=hifiberry-dac", true), ("  dtoverlay=hifiberry-dac  # mine\r", true),
      ("dtoverlay=hifiberry-dac,slave", true), ("#dtoverlay=hifiberry-dac", false),
      ("dtoverlay=hifiberry-dacplus", false), ("", false),
    ])
  func overlay(_ line: String, _ isThere: Bool) {
    let boot = BootConfig(path: "/b", text: "[all]\n\(line)\ndtparam=audio=off,i2c_arm=on\n")
    #expect(boot.lacks(["dtoverlay=hifiberry-dac"]).isEmpty == isThere)
    #expect(boot.lacks(["dtparam=i2c_arm=on"]) == [])
    #expect(boot.lacks(["dtparam=i2c_arm=off"]) == ["dtparam=i2c_arm=off"])
  }

  // MARK: The panel

  static let pinErrors: [(HardwareError?, Verdict, said: String, mend: String)] = [
    (nil, .ok, "2 lines exist and are free", ""),
    (.noGpio, .missing, "no GPIO chips", "simulated"),
    (.noSuchChip("a", existing: ["pinctrl-bcm2711"]), .missing, "pinctrl-bcm2711", "chips ="),
    (.forbidden(path: "/dev/gpiochip0", group: "gpio"), .problem, "/dev/gpiochip0", "usermod -aG gpio"),
    (.lineBusy("5", chip: "a", user: "bakelite"), .ok, "The radio uses", ""),
    (.lineBusy("5", chip: "a", user: "onewire"), .problem, "Pin play: GPIO line 5", "play = { line = 5 … }"),
    (.noSuchOffset(5, chip: "a", count: 4), .problem, "lines 0 to 3", "play = { line = 5 … }"),
  ]

  @Test("The result of a request decides about pins", arguments: pinErrors)
  func pins(_ error: HardwareError?, _ verdict: Verdict, said: String, mend: String) throws {
    let board = try Self.board
    let findings = DoctorPanel(board: board, file: "/b.toml").pins(board.pins.map { ($0, error) })
    let finding = try #require(findings.first)
    expect(finding, verdict, said, mend)
    #expect(findings.count == (said.contains("line") && verdict == .problem && !said.contains("dev") ? 2 : 1))
  }

  static let displayErrors: [(HardwareError?, [UInt8], Verdict, said: String, mend: String)] = [
    (nil, [], .ok, "answers at 0x27 of /dev/i2c-1", ""),
    (.gone("The I2C bus"), [], .missing, "no I2C bus /dev/i2c-1", "'dtparam=i2c_arm=on'"),
    (.noAnswer(bus: "/dev/i2c-1", address: 0x27), [], .missing, "No device answers at 0x27", "i2cdetect -y 1"),
    (.noAnswer(bus: "/dev/i2c-1", address: 0x27), [0x3F], .missing, "answers at 0x3f", "address = 0x3f in /b.toml"),
    (.forbidden(path: "/dev/i2c-1", group: "i2c"), [], .problem, "may not open", "usermod -aG i2c"),
    (.addressBusy(bus: "/dev/i2c-1", address: 0x27), [], .problem, "kernel driver", "dmesg"),
  ]

  @Test("The result of a query decides about a display", arguments: displayErrors)
  func display(_ error: HardwareError?, _ others: [UInt8], _ verdict: Verdict, said: String, mend: String) throws {
    let panel = DoctorPanel(board: try Self.board, file: "/b.toml")
    expect(panel.display(error, answering: others), verdict, said, mend)
  }

  @Test("A bus with its line in config.txt lacks only the kernel module")
  func noModule() throws {
    let boot = BootConfig(path: "/b", text: "dtparam=i2c_arm=on")
    let panel = DoctorPanel(board: try Self.board, file: "/b.toml", boot: boot)
    expect(panel.display(.gone("The I2C bus"), answering: []), .missing, "no I2C bus", "i2c-dev")
  }

  @Test("A board without a panel is well")
  func noPanel() {
    let panel = DoctorPanel(board: Board(), file: "")
    expect(panel.display(nil, answering: []), .ok, "has no display", "")
    #expect(panel.pins([]).map(\.verdict) == [.ok])
  }

  private static var board: Board {
    get throws {
      let text = """
        title = "A box"
        summary = "A box."
        chips = ["a"]
        [pins]
        play = { line = 5 }
        stop = { line = 6 }
        [buttons]
        play = { press = "play_pause" }
        stop = { press = "stop" }
        [display]
        kind = "hd44780"
        size = "20x4"
        bus = "i2c"
        number = 1
        address = 0x27
        overlay = ["dtparam=i2c_arm=on"]
        """
      return try Board(Array(text.utf8), file: "b")
    }
  }
}

/// Expects a finding with a verdict, a text and a remedy. An empty `mend` means no remedy.
func expect(
  _ finding: DoctorFinding, _ verdict: DoctorFinding.Verdict, _ said: String, _ mend: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(finding.verdict == verdict, "\(finding)", sourceLocation: sourceLocation)
  #expect(finding.words.contains(said), "\(finding)", sourceLocation: sourceLocation)
  let isMended = mend.isEmpty ? finding.mend == nil : finding.mend?.contains(mend) == true
  #expect(isMended, "\(finding)", sourceLocation: sourceLocation)
  // A command must be ready to paste; a remark must follow as a shell comment.
  let commands = ["sudo ", "echo ", "printf ", "kill ", "cat ", "ls ", "ip ", "bakelite "]
  let words = finding.mend?.split(separator: "#").first ?? ""
  let isCommand = commands.contains { words.hasPrefix($0) }
  let isProse = [", ", ": ", "'s "].contains { words.contains($0) }
  #expect(!(isCommand && isProse), "\(finding)", sourceLocation: sourceLocation)
}
