import ArgumentParser
import Framing
import Glibc
import Recordings

struct RecordingsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the recordings, newest first, with date, duration and size.")

  @OptionGroup var place: RecordingFolderOption

  @Flag(help: "Print each recording as a line of JSON.")
  var json = false

  func run() throws {
    let home = try place.home()
    let folder = RecordingFolder(home.folder)
    let listing = try place.list(folder)
    let numbers = String(listing.entries.count).count
    for (index, entry) in listing.entries.enumerated() {
      let details = folder.details(of: entry)
      if json {
        putLine(Self.json(index + 1, entry, details, folder))
      } else {
        putLine(Self.row(index + 1, entry, details, numberWidth: numbers))
      }
    }
    let path = DisplayText.line(folder.path)
    if listing.isMissing {
      printNote("The folder \(path) does not exist; the first recording makes it.")
    } else if listing.entries.isEmpty {
      printNote("\(path) contains no recordings.")
    }
    if home.hidesBox { printNote("`sudo bakelite recordings` lists the recordings of the box.") }
    if listing.isCut { printNote("The folder contains more; the list has the newest \(listing.entries.count).") }
  }

  private static func row(
    _ number: Int, _ entry: RecordingEntry, _ details: RecordingDetails, numberWidth: Int
  ) -> String {
    let fields = [
      right(String(number), numberWidth), UtcText.minute(entry.modified),
      right(details.seconds.map { clock(Int(min(max(0, $0), 1e9).rounded())) } ?? "", 8),
      right(megabytes(entry.byteCount), 10), DisplayText.line(entry.name),
    ]
    return fields.joined(separator: "  ") + (details.isGrowing ? "  (recording)" : "")
  }

  private static func json(
    _ number: Int, _ entry: RecordingEntry, _ details: RecordingDetails, _ folder: RecordingFolder
  ) -> String {
    var line = JsonLine()
    line.add("number", number)
    line.add("name", entry.name)
    line.add("path", folder.path(of: entry.name))
    line.add("bytes", entry.byteCount)
    line.add("modified", Int(entry.modified))
    line.add("duration", details.seconds)
    line.add("growing", details.isGrowing)
    return line.line
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func megabytes(_ count: Int) -> String {
    let tenths = (count + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) MB"
  }

  private static func clock(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }
}
