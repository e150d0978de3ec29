import Control
import Http
import Panel
import Settings
import System
import Units

extension RelocationController {
  /// Loads the records from a folder. A separate thread writes changes until `finish`.
  convenience init(
    _ presets: PresetController, _ settings: SettingsController, _ source: any RelocationSource, folder: String,
    _ clock: Clock
  ) {
    let file = PresetHealthFile(folder: folder)
    let disk = FileWriter<PresetHealth>("presets", clock) { health throws(SettingsError) in try file.save(health) }
    let health = file.loadLogged() ?? PresetHealth()
    self.init(presets, settings, health, source, CandidateListener(clock), keep: disk.submit, finish: disk.finish)
  }
}

extension RelocationController.BoxState {
  init(_ tuner: Tuner?, _ wall: WallTime, at now: MonotonicTime) {
    let id = tuner?.player.tunedID
    self.init(
      tuned: id.flatMap { tuner?.player.queue[id: $0]?.request.url },
      isRecording: tuner?.player.recorder.recording != nil, wall: wall.isSet ? wall.seconds : nil, now: now)
  }
}

extension PanelQuestion {
  init(_ asked: RelocationController.OpenQuestion, isUrgent: Bool) {
    let url = asked.question.url
    self.init(
      preset: asked.name, station: asked.question.name, host: (try? WebAddress(url))?.host ?? url.description,
      address: url.description)
    self.isUrgent = isUrgent
  }
}
