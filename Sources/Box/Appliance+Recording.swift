import Panel
import Radio

// Recording, and keeping songs, from the panel.
extension Appliance {
  /// What is being recorded, for the panel.
  var recording: PanelRecording? {
    guard let recording = tuner?.radio.recording else { return nil }
    let name = recording.name
    return PanelRecording(name: name, seconds: recording.seconds, roomSeconds: recording.secondsLeft)
  }

  /// Begins a recording named by station and time, or ends the one that runs.
  func toggleRecording() {
    guard let tuner else { return }
    let radio = tuner.radio
    guard radio.recording == nil else { return radio.endRecording() }
    let ending = radio.status.codec == "AAC" ? "aac" : "mp3"
    let name = RecordingOrder.name("\(stationName(radio.status, tuner.player)) \(wall.stamp)")
    do throws(RecordingError) {
      try radio.record(RecordingOrder("\(name).\(ending)", reach: .folder))
    } catch {
      complain(error.description)
    }
  }

  /// Keeps the song that is heard, or the one before it.
  func keep(_ song: Radio.Song) {
    guard let radio = tuner?.radio else { return }
    do throws(RecordingError) {
      let kept = try radio.keep(song)
      panel.announce("Kept: \(kept.title.track)", at: now)
    } catch {
      complain(error.description)
    }
  }

  /// Tells what became of a file.
  func hearOfFile(_ event: Event) {
    switch event {
    case .recordingStopped(_, _, let error?): complain(error)
    case .songKept(_, _, let error?): complain(error)
    default: break
    }
  }

  private func complain(_ words: String) {
    log(.warning, words)
    panel.announce(words, at: now)
  }
}
