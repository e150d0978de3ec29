import System

/// The domains that the network assigns to the names of its machines, from resolv.conf(5).
struct SearchDomains {
  /// The domains in lower case, without a dot at the end.
  let all: [String]

  /// Domains of one word that no public name has. Another word, such as "com", would make a stranger's name the box's.
  private static let privateDomains: Set = [
    "box", "corp", "home", "internal", "intranet", "lan", "local", "localdomain", "private",
  ]
  private static let maxFileByteCount = 64 << 10
  private static let maxCount = 32

  /// Reads a file; a missing or oversized file has no domains.
  init(path: String = "/etc/resolv.conf") {
    do throws(WholeFile.Problem) {
      self.init(try WholeFile.read(path, limit: Self.maxFileByteCount))
    } catch {
      self.init([])
    }
  }

  /// Reads the bytes of a file. The last line with `search` or `domain` counts.
  init(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let rows = lines.map { $0.split { $0 == " " || $0 == "\t" } }
    let last = rows.last { ["search", "domain"].contains($0.first) } ?? []
    all = last.dropFirst().prefix(Self.maxCount).compactMap { word in
      let name = word.lowercased()
      let domain = name.hasSuffix(".") ? String(name.dropLast()) : name
      return domain.contains(".") || Self.privateDomains.contains(domain) ? domain : nil
    }
  }
}
