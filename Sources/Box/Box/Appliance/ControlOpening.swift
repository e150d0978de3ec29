import CLinux
import Control
import Network
import Settings
import System
import Units

enum ControlOpening {
  struct Outcome {
    /// The server; nil if switched off, or if opening failed.
    var server: ControlServer?
    /// True if the socket needs a password that is missing or unreadable; the box then does not start.
    var isRefused = false
  }

  /// Opens the configured sockets with the box's commands; logs errors. `absence`: the reason for a missing radio.
  static func open(
    _ box: any BoxControls, _ player: PlayerController, _ facts: RadioCommands.Facts, absence: String?,
    watch: Int32, _ clock: Clock
  ) -> Outcome {
    open(box.settings.configuration.control, watch: watch, clock) { access in
      let context = ControlContext(player, access, clock: clock) { [unowned box] in
        PresetCatalog.request(StationAddress($0), box.settings.configuration.buffer)
      }
      context.use(player, absence: absence)
      context.use(recordings: box.settings.configuration.recording.path)
      context.browse { [unowned box] in box.directory }
      context.use(updates: box.updates)
      if box.rooms.isOn { context.use(rooms: box.rooms) }
      context.addStatus { [unowned box] in box.addStatus(to: &$0) }
      let commands = CommandTable(RadioCommands.rows(facts) + BoxCommands.rows(box), context)
      // The owner's intent and the volume also count for the radio that will be created.
      commands.allowWithoutRadio(
        ["stop", "pause", "setvol", "volume", "radio_power", "radio_press", "radio_turn", "radio_sleep", "radio_alarm"])
      return commands
    }
  }

  static func open(
    _ settings: Configuration.Control, watch: Int32, _ clock: Clock, _ make: (ControlAccess) -> CommandTable
  ) -> Outcome {
    guard !settings.socket.isEmpty || !settings.listen.isEmpty else { return Outcome() }
    var access = ControlAccess()
    do throws(SettingsError) {
      if let password = try settings.password() { access = ControlAccess(password: password) }
    } catch {
      log(.error, error.description)
      return Outcome(isRefused: true)
    }
    let commands = make(access)
    var places = ControlServer.Places(socket: settings.socket.isEmpty ? nil : settings.socket)
    places.listen = settings.listen
    // The network may assign the listening address later.
    places.isPatient = true
    do throws(ControlError) {
      let server = try ControlServer(places, commands, clock: clock)
      for (address, problem) in server.waiting {
        log(.warning, "\(problem.description)\nThe radio retries until it can serve clients at \(address).")
      }
      server.onListening = { log(.notice, "Clients are served at \($0).") }
      bk_watch(watch, server.descriptor, false)
      return Outcome(server: server)
    } catch {
      log(.error, error.description)
      if case .needsPassword = error { return Outcome(isRefused: true) }
      return Outcome()
    }
  }
}

extension RadioCommands.Facts {
  init(_ board: Board, kind: String) {
    self.init(version: Version.text)
    outputName = board.title.isEmpty ? "Bakelite" : board.title
    outputKind = kind
  }
}
