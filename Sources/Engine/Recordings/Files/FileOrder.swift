/// The path and options of a file to open.
package struct FileOrder: Sendable {
  /// The path; with `folder`, a name inside it.
  var path: String
  /// The folder that the path must not leave.
  var folder: String?
  /// True to create the folder with its parents, for the owner alone.
  var isPrivate = false
  var appends = false
  /// True to add a number to the name if the file exists.
  var isNew = false
  /// Bytes to leave free on the disk.
  var floor: Int
  /// The maximum size of `folder`.
  var limit = RecordingLimit.none
}
