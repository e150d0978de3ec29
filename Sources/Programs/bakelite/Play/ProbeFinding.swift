import Framing
import RadioEngine
import Units

struct ProbeFinding {
  var info: StationInfo?
  var title: Title?
  var measured: BitRate?
  /// Seconds from the server's response to the end of the sample, and the audio bytes received.
  var took = 0.0
  var byteCount = 0

  /// True for a live station. Ambiguous content is a file if it arrived at twice its bit rate or faster.
  private var isLive: Bool {
    guard let facts = info?.facts, facts.isLive else { return false }
    guard facts.mayBeFile, let measured, measured.bitsPerSecond > 0 else { return true }
    return Double(byteCount) * 8 / Double(measured.bitsPerSecond) < took * 2
  }

  /// True for an MP3 file on a server with ranges: further parts may follow the part that states its length.
  var mayBeJoined: Bool {
    guard let info, isSeekable, info.facts.container == .packed else { return false }
    return info.codec == "MP3" && !info.facts.url.hasPrefix("file:")
  }

  private var kind: String {
    if isLive { return "live station" }
    return info?.facts.isLive == true
      ? "probably a file: the server sends a length but does not support ranges" : "file"
  }

  private var rows: [(name: String, label: String, value: String?)] {
    guard let info else { return [] }
    let facts = info.facts
    return [
      ("kind", "Kind", kind),
      ("url", "Address", facts.url),
      ("name", "Name", facts.name),
      ("genre", "Genre", facts.genre),
      ("homePage", "Home page", facts.homePage),
      ("title", "Title", title?.text),
      ("contentType", "Content-Type", facts.contentType),
      ("codec", "Codec", info.codec),
      ("container", "Container", facts.container.flatMap { $0 == .packed && facts.segments == nil ? nil : $0.name }),
    ]
  }

  private var numbers: [(name: String, label: String, value: Int?, unit: String)] {
    guard let info else { return [] }
    return [
      ("sampleRate", "Sample rate", info.sampleRate, " Hz"),
      ("channels", "Channels", info.channels, ""),
      ("toldBitRate", "Bit rate stated", info.facts.toldBitRate, " bit/s"),
      ("measuredBitRate", "Bit rate measured", measured?.bitsPerSecond, " bit/s"),
      ("metaint", "Metadata every", info.facts.metaint, " bytes"),
      ("byteCount", "Length", info.facts.byteCount, " bytes"),
      ("targetDuration", "Target duration", info.facts.segments.map { Int($0.targetDuration.seconds.rounded()) }, " s"),
      ("window", "Window", info.facts.segments.map { Int($0.window.seconds.rounded()) }, " s"),
    ]
  }

  private var isSeekable: Bool { info?.facts.isSeekable == true && info?.facts.isLive == false }

  /// The stated duration in seconds, otherwise a file's duration from its size and measured bit rate; nil if unknown.
  private var duration: Double? {
    if let told = info?.facts.duration { return told.seconds }
    guard let facts = info?.facts, !isLive, let bytes = facts.byteCount, let measured else { return nil }
    return measured.bitsPerSecond > 0 ? Double(bytes) * 8 / Double(measured.bitsPerSecond) : nil
  }

  var text: String {
    var lines = rows.compactMap { row in row.value.map { Self.row(row.label, $0) } }
    lines += numbers.compactMap { row in row.value.map { Self.row(row.label, "\($0)\(row.unit)") } }
    if let segments = info?.facts.segments {
      for (place, variant) in segments.variants.enumerated() {
        let mark = place == segments.chosen ? " (played)" : ""
        lines.append(Self.row(place == 0 ? "Variants" : "", variant.text + mark))
      }
    }
    if let duration { lines.append(Self.row("Duration", "\(Int(duration.rounded())) s")) }
    if info != nil, !isLive { lines.append(Self.row("Seekable", isSeekable ? "yes" : "no")) }
    return lines.joined(separator: "\n")
  }

  /// A JSON object; unknown values are null.
  var json: String {
    var line = JsonLine()
    for row in rows { line.add(row.name, row.name == "kind" ? isLive ? "live station" : "file" : row.value) }
    for row in numbers { line.add(row.name, row.value) }
    let segments = info?.facts.segments
    line.add("variant", segments?.variant?.text)
    line.add("variants", segments?.variants.map(\.text) ?? [])
    line.add("duration", duration)
    line.add("seekable", isSeekable)
    line.add("live", isLive)
    return line.line
  }

  private static func row(_ label: String, _ value: String) -> String {
    label + String(repeating: " ", count: max(1, 20 - label.count)) + value
  }
}
