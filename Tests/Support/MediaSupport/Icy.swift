/// ICY titles in audio, as sent by SHOUTcast.
public enum Icy {
  /// Inserts a metadata block after every `metaint` bytes. `titles`: texts with the audio byte where each starts.
  public static func interleave(_ audio: [UInt8], metaint: Int, titles: [(at: Int, text: String)]) -> [UInt8] {
    var (mixed, place, told): ([UInt8], Int, String?) = ([], 0, nil)
    while place < audio.count {
      let end = min(place + metaint, audio.count)
      mixed += audio[place..<end]
      place = end
      guard place % metaint == 0 else { break }
      let title = titles.last { $0.at <= place }?.text
      mixed += title == told ? [0] : block("StreamTitle='\(title ?? "")';")
      told = title
    }
    return mixed
  }

  /// Returns a metadata block: its length in units of 16 bytes, and the text.
  public static func block(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let units = (bytes.count + 15) / 16
    return [UInt8(units)] + bytes + [UInt8](repeating: 0, count: units * 16 - bytes.count)
  }
}
