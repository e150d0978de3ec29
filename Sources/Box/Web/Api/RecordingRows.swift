/// The operations for recordings and kept songs.
enum RecordingRows {
  /// Number of recordings in a response.
  private static let count = 100

  static var all: [ApiRow] {
    let list: ApiRow.Commands = { (given, _) throws(ApiFault) in
      let from = given.whole("from") ?? 0
      return [RadioCommand("radio_recordings", "\(from):\(from + count)")]
    }
    return [
      ApiRow(
        .get, "/api/recordings", query: [ApiKey("from", .whole(0...1_000_000), isNeeded: false)],
        .radio(list, .list("recordings"))),
      ApiRow(
        .patch, "/api/recordings/{name}", body: [ApiKey("name", .text(1_023))],
        .command("radio_recording_rename", "{}", "{name}", shape: .object)),
      ApiRow(.delete, "/api/recordings/{name}", .command("radio_recording_delete", "{}")),
      ApiRow(.post, "/api/recordings/{name}/play", .command("radio_recording_play", "{}")),
      ApiRow(.get, "/recordings/{name}", .own(.recording)),
    ]
  }
}
