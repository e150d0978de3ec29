import Control
import Glibc
import Radio
import Settings

// Presets, which are the owner's, and the queue, which is the clients'.

extension Appliance {
  /// The command that does what SIGHUP does, and tells which files were read.
  var reloadCommand: ControlCommand {
    ControlCommand("radio_reload", "", 0...0, .admin, "reads settings and stations again; what plays goes on") {
      [unowned self] call in
      let fault = reload()
      call.answer.add("stations", catalog.entries.count)
      call.answer.add("problem", fault)
      call.answer.add("file", Self.absolute(launch.stationsPath))
      call.answer.add("owner", Self.absolute(owner.path))
    }
  }

  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Reads settings and stations again; what plays goes on. The sentence of what stays as it was, if anything does.
  @discardableResult
  func reload() -> String? {
    service.reloading(at: now)
    var fault: String?
    do throws(SettingsErrors) {
      ownersConfiguration = try launch.configuration()
    } catch {
      log(.error, "\(error.description)\nThe settings stay as they were.")
      fault = error.all.first?.description
    }
    owner.reload()
    configuration = Self.configuration(ownersConfiguration, owner.settings)
    applySettings()
    fault = readStations() ?? fault
    usePresets()
    if fault == nil { log(.notice, "Settings and stations were read again: \(catalog.entries.count) stations.") }
    service.ready()
    return fault
  }

  /// Reads the stations again. A file that cannot be read as a whole may be half written, and one without stations is
  /// a slip: then the stations stay as they were.
  private func readStations() -> String? {
    let read = PresetCatalog(launch.stationsPath, owner.settings, configuration.buffer)
    guard !catalog.base.isEmpty, !read.isWhole || read.base.isEmpty else {
      catalog = read
      return nil
    }
    let fault = read.problem?.description ?? "\(launch.stationsPath) holds no station that can be used."
    let sentence = "\(fault) The \(catalog.base.count) stations stay as they were."
    log(.error, sentence)
    catalog.take(owner.settings, configuration.buffer)
    return sentence
  }

  /// The settings of the owner's file, as he changed them at run time.
  static func configuration(_ ofFile: Configuration, _ owner: OwnerSettings) -> Configuration {
    do throws(SettingsErrors) { return try ofFile.changed(by: owner) } catch {
      log(.error, "\(error.description)\nThe settings that were made at run time are left out until that fits.")
      return ofFile
    }
  }

  /// Has everybody use the presets as they are now; a queue that nobody changed follows them.
  func usePresets() {
    let player = tuner?.player ?? silentPlayer
    if tuner != nil { queueKeeper.note(player, at: now) }
    player.take(presets)
    if queueKeeper.followsPresets { queueKeeper.fill(player, catalog, configuration.buffer) }
  }

  /// The presets as clients have them.
  private var presets: PresetList { PresetList(catalog.presets, changed: Int64(time(nil))) }

  /// Gives a new radio the presets, and the queue as it was left.
  func fillQueue(of player: PlayerController) {
    player.take(presets)
    queueKeeper.fill(player, catalog, configuration.buffer)
  }

  /// Plays what was played last, or else the first station.
  func playLast() {
    guard let player = tuner?.player else { return }
    state.isStandby = false
    if let place = catalog.place(url: state.stationURL, name: state.stationName) {
      player.playPreset(place)
    } else if let request = state.stationURL.flatMap({ PresetCatalog.request($0, configuration.buffer) }) {
      player.tune(request, name: state.stationName ?? "")
    } else if !player.playPreset(0) {
      player.play(0)
    }
  }
}
