import Blocks
import Glibc
import System

/// The reason why a recording does not start, or has ended.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence for people.
  public let description: String
  /// True if the disk or the folder of recordings has no room.
  public let lacksRoom: Bool

  /// Creates an error with this sentence.
  package init(_ sentence: String, lacksRoom: Bool = false) { (description, self.lacksRoom) = (sentence, lacksRoom) }

  init(_ path: String, errno: Int32) {
    let reason =
      switch errno {
      case ENOSPC, EDQUOT: "its disk is full; make room there"
      case EROFS: "its disk can only be read; choose another place"
      case EFBIG: "a file may not be that large there; begin another one"
      case EACCES, EPERM: "the radio may not write there; choose another place, or permit it"
      case ENOENT, ENOTDIR: "its folder is not there; create it, or choose another one"
      case EISDIR: "it is a folder; name a file"
      case ELOOP: "a symbolic link is in the way, and none is followed; name the file itself"
      case ENAMETOOLONG: "its name is too long; choose a shorter one"
      default: errnoText(errno)
      }
    self.init("Could not record to \(path): \(reason).", lacksRoom: errno == ENOSPC || errno == EDQUOT)
  }

  static func outside(_ path: String) -> RecordingError {
    RecordingError("\(path) is no name within the recordings folder; give one without \"..\", such as \"evening.mp3\".")
  }

  static func notARecording(_ path: String) -> RecordingError {
    RecordingError("\(path) is there and no recording, so it is not replaced; choose another name, or remove it.")
  }

  static func notAFile(_ path: String) -> RecordingError {
    RecordingError("\(path) is there and no ordinary file; choose another name.")
  }

  static func taken(_ path: String) -> RecordingError {
    RecordingError("\(path) is being recorded to already; choose another name.")
  }

  static func otherFormat(_ path: String, _ old: PacketFormat, _ new: PacketFormat) -> RecordingError {
    RecordingError(
      "\(path) contains \(old.words), but the sound is \(new.words) now; one file cannot contain both, so record to "
        + "another file.")
  }

  static func notRecordable(_ format: PacketFormat) -> RecordingError {
    RecordingError(
      "Only MP3 and AAC can be recorded yet, and this is \(format.words); play something else to record.")
  }

  static func changed(_ old: PacketFormat, _ new: PacketFormat) -> RecordingError {
    RecordingError("The sound changed from \(old.words) to \(new.words); the audio before that is recorded.")
  }

  static func gone(_ path: String) -> RecordingError {
    RecordingError("\(path) was removed during the recording, so the recording ended.")
  }

  static func noRoom(_ path: String, floor: Int) -> RecordingError {
    if floor < 1 << 20 { return RecordingError(path, errno: ENOSPC) }
    return RecordingError(
      "The disk of \(path) has less than the \(floor >> 20) MiB that must stay free; delete files there.",
      lacksRoom: true)
  }

  static func full(_ folder: String, most: Int) -> RecordingError {
    RecordingError(
      "The recordings in \(folder) have reached their limit of \(max(1, most / 1_000_000)) MB; delete files there, or "
        + "raise [recording] max_gb.", lacksRoom: true)
  }

  static func full(_ path: String) -> RecordingError {
    RecordingError(
      "\(path) ended early, because the folder has reached its limit; delete files there, or raise "
        + "[recording] max_gb.", lacksRoom: true)
  }

  static func slow(_ path: String) -> RecordingError {
    RecordingError("The disk of \(path) was slower than the sound; the audio before that is recorded.")
  }

  static func flood(_ path: String) -> RecordingError {
    RecordingError(
      "The station changed its title more than \(TitlePace.maxTitles) times in \(Int(TitlePace.span.seconds)) s, so "
        + "the recording to \(path) ended; the audio before that is recorded. Record without a file for each title.")
  }

  /// A recording is already running.
  public static let busy = RecordingError("A recording is running; end it first.")
  /// Nothing is playing.
  public static let nothing = RecordingError("Nothing is playing, so there is nothing to record.")
  /// The title of the song is not known yet.
  public static let noSong = RecordingError(
    "No title is known yet, so there is no song to save; record instead.")
  /// An earlier title is not known.
  public static let noSongBefore = RecordingError(
    "No title came before this one, so there is no previous song to save.")
  /// The song is no longer buffered.
  public static let songGone = RecordingError(
    "That song is no longer buffered; a larger [buffer] blocks would buffer more.")
  /// The reasons for which no song is saved and no file is created.
  public static let withoutSong = [nothing, noSong, noSongBefore, songGone, keptAlready]

  /// A song was saved a moment ago.
  public static func tooSoon(seconds: Int) -> RecordingError {
    RecordingError("A song was saved a moment ago; try again in \(seconds) s.")
  }

  /// Too many recordings in a row did not start.
  public static func tooManyRefusals(seconds: Int) -> RecordingError {
    RecordingError("Too many recordings in a row did not start; try again in \(seconds) s.")
  }

  /// The song is saved, or being saved.
  public static let keptAlready = RecordingError("That song is already saved.")
  /// Another programme started.
  package static let tuned = RecordingError("The radio plays something else now; the audio before that is recorded.")
}
