import Decoding
import Settings

struct DoctorDecoders {
  private let mp3: DecoderLibrary

  init(_ settings: DecodingSettings) {
    switch settings.mp3 {
    case .mad: mp3 = .mad
    case .mpg123: mp3 = .mpg123
    }
  }

  var finding: DoctorFinding {
    let formats: [(String, DecoderLibrary)] = [
      ("AAC", .faad), ("Ogg Vorbis", .vorbis), ("Opus", .opus), ("FLAC", .flac),
    ]
    let words = ["MP3 is decoded by \(name(mp3))"] + formats.map { "\($0) by \(name($1))" }
    return .ok("decoders", words.joined(separator: ", ") + ".")
  }

  private func name(_ library: DecoderLibrary) -> String {
    library.rawValue + (library.version.map { " \($0)" } ?? "")
  }
}
