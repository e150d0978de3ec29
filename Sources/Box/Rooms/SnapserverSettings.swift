/// The settings in a snapserver's configuration file. The file has sections in brackets, lines of `key = value`, and
/// comments that begin with "#". The defaults are the defaults of snapserver 0.26 and 0.31.
public struct SnapserverSettings: Equatable, Sendable {
  /// The source of a stream.
  public struct Source: Equatable, Sendable {
    /// The scheme of the source's address, such as "pipe".
    public let scheme: String
    /// The path of a pipe or file.
    public let path: String
    /// The stream's name.
    public let name: String
    /// Rate, bits and channels, such as "48000:16:2"; nil for the server's default.
    public let format: String?
    /// The control script's name or path; nil without a control script.
    public let script: String?
  }

  /// The sources in order. New rooms play the first source.
  public private(set) var sources: [Source] = []
  /// Rate, bits and channels of sources that have no own format.
  public private(set) var format = "48000:16:2"
  /// Delay between the input and the rooms, in milliseconds; nil if the value is not a valid number.
  public private(set) var bufferMilliseconds: Int? = 1_000
  /// The folder of control scripts that are named without a path.
  public private(set) var scripts = "/usr/share/snapserver/plug-ins"
  /// The port of JSON-RPC over TCP; nil if TCP is off or the value is not a valid port.
  public var port: Int? { servesTcp ? tcpPort : nil }

  private var tcpPort: Int? = 1_705
  private var servesTcp = true

  private static let maxSources = 64
  private static let maxLineLength = 4_096

  /// Parses a file's text. Unknown lines, and lines longer than 4,096 bytes, are ignored.
  public init(_ text: some Collection<UInt8>) {
    var section = ""
    for line in text.split(separator: UInt8(ascii: "\n")) where line.count <= Self.maxLineLength {
      let words = Self.trimmed(String(decoding: line, as: UTF8.self)[...])
      if words.first == "[", words.last == "]" {
        section = String(words.dropFirst().dropLast())
      } else if words.first != "#", let equals = words.firstIndex(of: "=") {
        readPair(section, Self.trimmed(words[..<equals]), Self.trimmed(words[words.index(after: equals)...]))
      }
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private mutating func readPair(_ section: String, _ key: Substring, _ value: Substring) {
    switch (section, key) {
    case ("stream", "source"):
      if sources.count < Self.maxSources, let source = Source(value) { sources.append(source) }
    case ("stream", "sampleformat"): format = String(value)
    case ("stream", "buffer"): bufferMilliseconds = Self.number(value, 0...1_000_000)
    case ("stream", "plugin_dir"): scripts = String(value)
    case ("tcp", "port"): tcpPort = Self.number(value, 1...65_535)
    case ("tcp", "enabled"): servesTcp = ["true", "1"].contains(value)
    default: break
    }
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }
}

extension SnapserverSettings.Source {
  /// Parses an address such as "pipe:///PATH?name=NAME&sampleformat=48000:16:2"; nil if invalid.
  init?(_ text: Substring) {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
    let rest = text[colon...].dropFirst(3).prefix { $0 != "#" }
    let question = rest.firstIndex(of: "?") ?? rest.endIndex
    var values: [Substring: String] = [:]
    for pair in rest[question...].dropFirst().split(separator: "&") {
      guard let equals = pair.firstIndex(of: "=") else { continue }
      values[pair[..<equals]] = Self.decoded(pair[pair.index(after: equals)...])
    }
    guard let name = values["name"] else { return nil }
    scheme = text[..<colon].lowercased()
    // Pipes and files have no host. Text between "//" and the path is ignored.
    let path = rest[..<question]
    self.path = Self.decoded(path.firstIndex(of: "/").map { path[$0...] } ?? "")
    self.name = name
    format = values["sampleformat"]
    script = values["controlscript"]
  }

  /// Decodes percent-encoding (RFC 3986, 2.1).
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
