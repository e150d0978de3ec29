import AudioOutput
import CLinux
import Control
import Panel
import Radio
import Settings
import Units

// Programs that drive the radio: where they are served, and the panel's own commands.

extension Appliance {
  /// Serves the control socket; false where it would be open to everybody, or nobody knows to whom.
  func openControl() -> Bool {
    guard !configuration.control.socket.isEmpty || configuration.control.listen != nil else { return true }
    let player = tuner?.player ?? preparedSilentPlayer(nil)
    var access = ControlAccess()
    do throws(SettingsError) {
      if let password = try configuration.control.password() { access = ControlAccess(password: password) }
    } catch {
      log(.error, error.description)
      return false
    }
    let commands = RadioCommands(player, facts, access) { [unowned self] in
      PresetCatalog.request(StationAddress($0), configuration.buffer)
    }
    if tuner == nil { commands.absence = sinkTrouble?.description }
    for command in panelCommands + ownerCommands + [reloadCommand] { commands.add(command) }
    commands.moreStatus = { [unowned self] answer in
      answer.add("standby", isStandby)
      answer.add("sleep_minutes", sleepMinutes)
    }
    var places = ControlServer.Places(socket: configuration.control.socket.isEmpty ? nil : configuration.control.socket)
    places.listen = configuration.control.listen.map { [$0] } ?? []
    // Its address may come with the network, after the box.
    places.isPatient = true
    do throws(ControlError) {
      let server = try ControlServer(places, commands)
      for (address, problem) in server.waiting {
        log(.warning, "\(problem.description)\nClients are served at \(address) as soon as that can be.")
      }
      server.onListening = { log(.notice, "Clients are served at \($0).") }
      bk_watch(watch, server.descriptor, false)
      control = server
    } catch {
      log(.error, error.description)
      if case .needsPassword = error { return false }
    }
    return true
  }

  private var facts: RadioCommands.Facts {
    var facts = RadioCommands.Facts(version: Version.text)
    facts.outputName = board.title.isEmpty ? "Bakelite" : board.title
    facts.outputKind = launch.output.map { String($0.prefix { $0 != ":" }) } ?? "alsa"
    return facts
  }

  /// What clients drive while sound can go nowhere; `absence` tells them why, as a sentence.
  func preparedSilentPlayer(_ absence: String?) -> PlayerController {
    control?.commands.absence = absence
    fillQueue(of: silentPlayer)
    return silentPlayer
  }

  // MARK: The panel from outside

  /// Bakelite's own commands for it.
  var panelCommands: [ControlCommand] {
    [
      ControlCommand("radio_press", "BUTTON [GESTURE]", 1...2, .player, "presses a button: press, long or double") {
        [unowned self] call throws(ControlRefusal) in try press(call.arguments[0], call[1] ?? "press")
      },
      ControlCommand("radio_turn", "CLICKS [MODE]", 1...2, .player, "turns the knob, -100 to 100; to the right is more")
      {
        [unowned self] call throws(ControlRefusal) in try turn(try call.integer(0, in: -100...100), call[1])
      },
      ControlCommand("radio_display", "", 0...0, .read, "tells what the display shows") { [unowned self] call in
        tellDisplay(&call.answer)
      },
    ]
  }

  /// A button of the board; or what a button may be for, on a board that has none for it.
  private func press(_ name: String, _ word: String) throws(ControlRefusal) {
    guard let gesture = Gesture(rawValue: word) else {
      throw ControlRefusal(.argument, "There is no gesture \(word); there are press, long, double and repeat")
    }
    if board.buttons.contains(where: { $0.name == name }) {
      take(panelInputs.actions(of: name, [gesture]))
    } else if gesture == .press, let action = PanelAction(name) {
      take([.action(action)])
    } else {
      let known = board.buttons.map(\.name).joined(separator: ", ")
      throw ControlRefusal(.notFound, "There is no button \(name); there are \(known)")
    }
  }

  private func turn(_ clicks: Int, _ word: String?) throws(ControlRefusal) {
    let mode = word.map { Panel.KnobMode(rawValue: $0) }
    if case .some(.none) = mode {
      throw ControlRefusal(.argument, "There is no mode \(word ?? ""); there are tune, volume and scrub")
    }
    take([.turn(clicks, mode: mode ?? nil)])
  }

  private func take(_ inputs: [PanelInput]) {
    for input in inputs { obey(panel.handle(input, view, at: now)) }
  }

  private func tellDisplay(_ answer: inout ControlAnswer) {
    show()
    guard let shown else { return }
    answer.add("columns", shown.frame.columns)
    answer.add("rows", shown.frame.rows)
    answer.add("lit", shown.frame.isLit)
    for (index, row) in shown.rows.enumerated() { answer.add("row_\(index + 1)", row) }
  }
}
