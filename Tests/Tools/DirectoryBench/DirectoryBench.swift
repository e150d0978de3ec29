import Directory
import DirectorySupport
import Glibc
import System
import Units

/// Creates lists and directories and searches them. `directory.py` measures the program.
@main
enum DirectoryBench {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    switch (words.first, words.dropFirst().map { $0 }) {
    case ("list", let rest) where rest.count == 3: try writeList(rest[0], Int(rest[1]) ?? 0, rest[2])
    case ("build", let rest) where rest.count == 2: try build(rest[0], rest[1], from: rest[0])
    case ("build", let rest) where rest.count == 3: try build(rest[0], rest[1], from: rest[2])
    case ("search", let rest) where rest.count >= 1: try search(rest[0], Array(rest.dropFirst()))
    case ("idle", _): usleep(20_000)
    default:
      print("list csv|xml COUNT FILE · build LIST FILE [SOURCE] · search FILE [WORDS …] · idle")
      exit(2)
    }
  }

  private static func writeList(_ form: String, _ count: Int, _ path: String) throws {
    guard let file = fopen(path, "w") else { fatalError("Cannot write \(path).") }
    defer { fclose(file) }
    func put(_ text: String) { fputs(text, file) }
    put(form == "csv" ? SampleStation.csvHeader : SampleStation.xmlFrame.start)
    for station in SampleStations(count) { put(form == "csv" ? station.csv : station.xml) }
    if form == "xml" { put(SampleStation.xmlFrame.end) }
  }

  /// Reads a list in pieces of 16 KiB, builds a directory and prints its size. `source`: the list's address.
  private static func build(_ list: String, _ path: String, from source: String) throws {
    let file = Descriptor(open(list, O_RDONLY | O_CLOEXEC))
    let start = Clock.machine.now()
    let reader = DirectoryListReader()
    let builder = try DirectoryBuilder(path: path)
    var piece = [UInt8](repeating: 0, count: 16_384)
    while case let count = read(file.raw, &piece, piece.count), count > 0 {
      try reader.append(piece.span.extracting(0..<count)) { entry throws(DirectoryError) in try builder.append(entry) }
    }
    try reader.finish { entry throws(DirectoryError) in try builder.append(entry) }
    let came = Clock.machine.now()
    let summary = try builder.finish(date: 1_700_000_000, source: source)
    let end = Clock.machine.now()
    print(
      "stations \(summary.count) passed \(reader.passedOver) bytes \(summary.byteCount) read \((came - start).seconds) "
        + "write \((end - came).seconds)")
  }

  /// Searches for each text five times and prints the median time in milliseconds.
  private static func search(_ path: String, _ words: [String]) throws {
    let start = Clock.machine.now()
    let directory = try StationDirectory(path: path)
    print("open \((Clock.machine.now() - start).seconds * 1_000) stations \(directory.count)")
    for text in words {
      var found = (total: 0, isMisspelt: false)
      let times = (0..<5).map { _ in
        let start = Clock.machine.now()
        switch text {
        case "letters": found.total = directory.letters(after: "").count + directory.letters(after: "ra").count
        case "names": found.total = directory.names(beginning: "b", limit: 20).total
        case "countries": found.total = directory.countries.count
        case "tags": found.total = directory.tags(country: "DE", limit: 50).count
        case "moved":
          found.total = directory.ranks(named: "none such").count + directory.ranks(at: "http://none.example/").count
        default:
          let query =
            text.hasPrefix("country=") ? DirectoryQuery(country: String(text.dropFirst(8))) : DirectoryQuery(text)
          let matches = directory.search(query, limit: 50)
          for rank in matches.ranks { found.total += directory.name(of: rank).isEmpty ? 1 : 0 }
          found = (matches.total, matches.isMisspelt)
        }
        return (Clock.machine.now() - start).seconds * 1_000
      }.sorted()
      print("query \"\(text)\" ms \(times[2]) total \(found.total) misspelt \(found.isMisspelt)")
    }
  }
}
