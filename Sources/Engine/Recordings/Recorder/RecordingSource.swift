import Blocks
import Units

/// The received packets, and the order to continue their reception. Control thread only.
package protocol RecordingSource: AnyObject {
  var now: MonotonicTime { get }
  var ring: UnsafePointer<BlockRing> { get }

  /// Makes reception continue during a pause and with a full ring, for a recording.
  func receiveForRecording(_ isRecorded: Bool)
}
