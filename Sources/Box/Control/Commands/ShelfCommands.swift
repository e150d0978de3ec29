import Network
import Recordings
import System
import Units

/// The commands for the recordings folder.
enum ShelfCommands {
  /// Maximum number of recordings in a reply.
  static let maxCount = 500
  /// Number of recordings in a piece of a reply.
  private static let pieceCount = 32

  static var rows: [ControlCommand] {
    [
      ControlCommand(
        "radio_recordings", "[START:END]", 0...1, .read, "lists up to 500 recordings and kept songs, newest first"
      ) { call throws(ControlRefusal) in
        let range = try call.arguments.isEmpty ? 0..<maxCount : call.range(0)
        let shelf = try shelf(call)
        let job = try shelf.begin(for: call.client) { folder throws(RecordingError) in try read(folder, range) }
        let patience = Patience(call)
        var place = 0
        call.answer.continueInSteps { answer throws(ControlRefusal) in
          guard let rows = try job.result() else { return try patience.wait() }
          for row in rows[place...].prefix(pieceCount) { add(row, to: &answer) }
          place = min(rows.count, place + pieceCount)
          return place < rows.count ? .more : .done
        }
      },
      ControlCommand(
        "radio_recording_delete", "NAME", 1...1, .control,
        "deletes a recording with its cue sheet; refused during the recording"
      ) { call throws(ControlRefusal) in
        let name = call.arguments[0]
        let shelf = try shelf(call)
        let job = try shelf.begin(for: call.client) { folder throws(RecordingError) in try folder.remove(name) }
        let patience = Patience(call)
        call.answer.continueInSteps { _ throws(ControlRefusal) in
          try job.result() == nil ? try patience.wait() : .done
        }
      }.withoutRadio,
      ControlCommand(
        "radio_recording_rename", "NAME NEW", 2...2, .control,
        "renames a recording with its cue sheet, in its folder; replies with the new name"
      ) { call throws(ControlRefusal) in
        let (name, new) = (call.arguments[0], call.arguments[1])
        try refuseIfPlaying(name, call)
        let job = try shelf(call).begin(for: call.client) { folder throws(RecordingError) in
          try folder.rename(name, to: new)
        }
        let patience = Patience(call)
        call.answer.continueInSteps { answer throws(ControlRefusal) in
          guard let renamed = try job.result() else { return try patience.wait() }
          answer.add("recording", renamed)
          return .done
        }
      }.withoutRadio,
      ControlCommand("radio_recording_play", "NAME", 1...1, .player, "plays a recording from its start") {
        call throws(ControlRefusal) in
        let (name, shelf, context) = (call.arguments[0], try shelf(call), call.context)
        let job = try shelf.begin(for: call.client) { folder throws(RecordingError) in try folder.open(name) }
        let request = StationRequest(path: shelf.folder.path(of: name))
        let patience = Patience(call)
        call.answer.continueInSteps { _ throws(ControlRefusal) in
          guard try job.result() != nil else { return try patience.wait() }
          guard context.player.tune(request, name: RecordingEntry.title(of: name)) else { throw .queueFull }
          return .done
        }
      },
      ControlCommand(
        "radio_recording_open", "NAME", 1...1, .read,
        "passes a recording as an open descriptor (SCM_RIGHTS); Unix socket only"
      ) { call throws(ControlRefusal) in
        try call.requireLocal()
        let (name, client) = (call.arguments[0], call.client)
        let job = try shelf(call).begin(for: call.client) { folder throws(RecordingError) in try folder.open(name) }
        let patience = Patience(call)
        call.answer.continueInSteps { answer throws(ControlRefusal) in
          // A client receives one file after the other.
          guard let file = try job.result(), client.passing == nil else { return try patience.wait() }
          answer.add("recording", name)
          answer.passed = file
          return .done
        }
      },
    ]
  }
}

extension ShelfCommands {
  /// The time in which a disk must answer: less than the web panel waits for a reply.
  private struct Patience {
    private let clients: ClientRoster
    private let end: MonotonicTime

    init(_ call: ControlCall) {
      clients = call.context.clients
      end = clients.now() + Duration(milliseconds: 4_000)
    }

    func wait() throws(ControlRefusal) -> AnswerProgress {
      guard clients.now() < end else { throw RecordingShelf.busy }
      return .waits
    }
  }

  private struct Row: Sendable {
    let entry: RecordingEntry
    let details: RecordingDetails
  }

  private static func shelf(_ call: ControlCall) throws(ControlRefusal) -> RecordingShelf {
    guard let shelf = call.context.recordings else {
      throw ControlRefusal(
        .notFound,
        "This radio does not share its recordings; start `bakelite play` with --recordings FOLDER, or use "
          + "`bakelite recordings`")
    }
    return shelf
  }

  /// Refuses a new name for the recording that the radio plays, because a seek opens the file again.
  private static func refuseIfPlaying(_ name: String, _ call: ControlCall) throws(ControlRefusal) {
    let (player, path) = (call.context.player, try shelf(call).folder.path(of: name))
    guard player.state != .stopped, player.current?.request.url == StationRequest(path: path).url else { return }
    throw ControlRefusal(.system, "The radio plays this recording; stop the radio first.")
  }

  /// Reads a part of the list. Runs on the job's thread.
  private static func read(_ folder: RecordingFolder, _ range: Range<Int>) throws(RecordingError) -> [Row] {
    let all = try folder.list().entries
    let part = all[range.clamped(to: all.indices)].prefix(maxCount)
    return part.map { Row(entry: $0, details: folder.details(of: $0)) }
  }

  private static func add(_ row: Row, to answer: inout ControlAnswer) {
    answer.add([
      "recording": row.entry.name, "bytes": row.entry.byteCount, "modified": TimeText.utc(row.entry.modified),
      "duration": row.details.seconds, "growing": row.details.isGrowing,
    ])
  }
}
