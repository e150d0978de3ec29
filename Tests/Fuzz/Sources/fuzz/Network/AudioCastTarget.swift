@testable import Network

/// Any bytes as a datagram of AudioCast.
final class AudioCastReading: FuzzTarget {
  static let name = "audiocast"
  static let longest = 1_100
  static let seeds = [
    "x-audiocast-udpseqnr: 12\r\nx-audiocast-streamtitle: a - b\r\nx-audiocast-streamurl: http://a/\r\n"
      + "x-audiocast-streammsg: c\r\nx-audiocast-streamlength: 1\r\n", "X-AUDIOCAST-StreamTitle:\u{FC}\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    for encoding in [nil, "SHIFT_JIS"] {
      guard let datagram = AudioCastDatagram(bytes, TitleText(encoding: encoding)) else { continue }
      for text in [datagram.title, datagram.url].compactMap({ $0 }) {
        expect(!text.isEmpty, "what is told is something")
        text.expectShowable()
      }
      expect(datagram.number.map { $0 >= 0 } ?? true, "a datagram's number counts")
    }
  }
}
