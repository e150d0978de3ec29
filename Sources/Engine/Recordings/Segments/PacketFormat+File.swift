import Blocks

extension PacketFormat {
  /// For people: "MP3 at 44100 Hz, stereo".
  var words: String { "\(codec) at \(sampleRate.hertz) Hz, \(channels == 1 ? "mono" : "stereo")" }

  /// True if both formats may share a file: equal codec, rate and channels.
  func fits(_ other: PacketFormat) -> Bool {
    codec == other.codec && sampleRate == other.sampleRate && channels == other.channels
  }

  /// True if a sequence of the packets is a valid file, without headers.
  var isRecordable: Bool { codec.fileExtension != nil }

  var fileExtension: String { codec.fileExtension ?? "" }
}

extension Codec {
  /// The file extension; nil if packets alone are not a valid file.
  fileprivate var fileExtension: String? {
    switch self {
    case .mpegLayer1: "mp1"
    case .mpegLayer2: "mp2"
    case .mpegLayer3: "mp3"
    case .aac: "aac"
    case .vorbis, .opus, .flac, .pcm: nil
    }
  }
}
