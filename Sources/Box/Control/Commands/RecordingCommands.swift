import RadioEngine
import Recordings

enum RecordingCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand(
        "radio_record", "start PATH [append] [reset] [split]|stop", 1...5, .control,
        "starts or stops recording the station"
      ) { call throws(ControlRefusal) in
        switch call.arguments[0] {
        case "start": try record(call)
        case "stop":
          guard call.arguments.count == 1 else {
            throw ControlRefusal(.argument, "too many arguments for \"radio_record\"")
          }
          guard call.player.recorder.recording != nil else {
            throw ControlRefusal(.notPlaying, "Nothing is being recorded")
          }
          call.player.recorder.endRecording()
        case let other: throw ControlRefusal(.argument, "There is no \(other); there are start PATH and stop")
        }
      },
      ControlCommand(
        "radio_keep", "[current|previous]", 0...1, .control, "saves the current or the previous song"
      ) { call throws(ControlRefusal) in
        let word = call[0] ?? "current"
        guard let which = Radio.Song(rawValue: word) else {
          throw ControlRefusal(.argument, "There is no song \(word); there are current and previous")
        }
        do throws(RecordingError) {
          let song = try call.player.keep(which)
          call.answer.add(["path": song.path, "title": song.title.text])
          if song.missing > 0.05 { call.answer.add("missing", song.missing) }
          call.answer.add("goes_on", song.goesOn)
        } catch {
          throw ControlRefusal(call.player.state == .stopped ? .notPlaying : .system, error.description)
        }
      },
    ]
  }
}

extension RecordingCommands {
  /// Starts a recording. Clients of the Unix socket may use any path; other clients may use a name in the recordings
  /// folder.
  private static func record(_ call: ControlCall) throws(ControlRefusal) {
    guard let path = call[1] else { throw ControlRefusal(.argument, "too few arguments for \"radio_record\"") }
    var order = RecordingOrder(path, reach: call.client.isLocal ? .machine : .folder)
    for word in call.arguments.dropFirst(2) {
      switch word {
      case "append": order.appends = true
      case "reset": order.resets = true
      case "split": order.splits = true
      default: throw ControlRefusal(.argument, "There is no \(word); there are append, reset and split")
      }
    }
    do throws(RecordingError) { try call.player.record(order) } catch {
      throw ControlRefusal(.system, error.description)
    }
  }
}

extension ControlAnswer {
  mutating func add(_ recording: Recording?) {
    guard let recording else { return }
    add([
      "recording": recording.path, "recording_bytes": recording.byteCount, "recording_seconds": recording.seconds,
      "recording_free": recording.freeByteCount, "recording_left": recording.secondsLeft,
    ])
  }
}
