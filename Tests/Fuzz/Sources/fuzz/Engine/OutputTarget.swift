import AudioOutput

/// Any text as a sink and as its format.
final class OutputReading: FuzzTarget {
  static let name = "output"
  static let longest = 60
  static let seeds = ["s16le/44100/2", "s24le/192000/1", "alsa:hw:0,0", "raw:-", "wav:/a", "null", "null:", "alsa:"]
    .map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    let text = String(decoding: bytes.array, as: UTF8.self)
    if let format = PcmFormat(text) {
      expect(PcmFormat(format.description) == format, "a format is read as it is written")
      expect((4_000...192_000).contains(format.rate.hertz), "a rate is one that sinks have")
    }
    switch OutputRequest(text)?.kind {
    case .raw(let path), .wav(let path):
      expect(!path.isEmpty && text.utf8.count == path.utf8.count + 4, "a path is whole")
    case .alsa(let device): expect(!device.isEmpty, "a device has a name")
    case .null, nil: break
    }
  }
}
