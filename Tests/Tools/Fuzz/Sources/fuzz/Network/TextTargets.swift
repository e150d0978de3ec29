@testable import Network

/// Decodes any bytes as a title in an encoding from the settings.
final class EncodedTitles: FuzzTarget {
  static let name = "title-text"
  static let longest = 300
  static let seeds = [[0, 0xC3, 0xBC], [3, 0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], [6, 0xD8, 0, 0x41]]

  private static let encodings = [
    "UTF-8", "SHIFT_JIS", "EUC-KR", "ISO-2022-JP", "GB18030", "UTF-7", "UTF-16", "BIG5-HKSCS", "WINDOWS-1251",
    "EUC-JISX0213", "TSCII", "UTF-32", "IBM1364", "ISO-2022-KR", "EUC-TW", "GBK", "JOHAB", "ISO-8859-15", "KOI8-R",
  ]

  func run(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    let text = TitleText(encoding: Self.encodings[Int(bytes[0]) % Self.encodings.count])
    text.text(bytes.extracting(1..<bytes.count)).expectShowable()
  }
}

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
