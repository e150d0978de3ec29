/// The state of a file on the other thread.
package struct FileReport: Sendable {
  /// The whole path; nil until the file is open.
  var path: String?
  var existing: ExistingRecording?
  /// Bytes added, without the existing ones.
  var byteCount = 0
  /// Free disk space above the reserve, in bytes; nil if unknown.
  var freeByteCount: Int?
  var failure: RecordingError?
  var isClosed = false

  var isOpen: Bool { path != nil && !isClosed }
}
