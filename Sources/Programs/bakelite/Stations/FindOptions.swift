import ArgumentParser
import DirectoryClient
import Http
import Settings

struct FindFilterOptions: ParsableArguments {
  @Option("List only stations of this country, a two-letter code or the English name.", value: "country")
  var country: String?

  @Option("List only stations with this whole tag, such as jazz.", value: "tag")
  var tag: String?

  @Option("List only stations in this language, given by its English name.", value: "language")
  var language: String?

  @Option(
    "List only stations whose codec starts with this text, such as aac for AAC and AAC+.", value: "codec",
    completion: .list(["aac", "aac+", "flac", "mp3", "ogg", "opus"]))
  var codec: String?

  var isEmpty: Bool { country == nil && tag == nil && language == nil && codec == nil }
}

struct FindDirectoryOptions: ParsableArguments {
  @Flag(
    help: """
      Search on the directory's servers instead of in the copy, without changing the copy. The servers search for all \
      words together as one part of the name; use --tag and --country for other criteria.
      """)
  var online = false

  @Flag(help: "Download a new copy of the directory, without a search.")
  var update = false

  @Flag(
    help: """
      With --update, download only if a copy exists and is damaged or older than [directory] update_days.
      """)
  var ifDue = false

  @Option(
    """
    With --if-due, download also if this file exists. The command removes the file and writes its progress to \
    FILE.progress, for the radio.
    """, value: "file")
  var request: String?

  @Option(
    """
    With --update or --online, use this server at an http or https address instead of radio-browser's servers. The \
    update then accepts a list with any number of stations.
    """, value: "url")
  var mirror: String?

  @Option(
    "Read [directory] of this settings file. Default: \(InstalledPaths.settings).", value: "file",
    completion: .file(extensions: ["toml"]))
  var config: String?

  func validate() throws {
    if ifDue, !update { throw ValidationError("--if-due requires --update.") }
    if request != nil, !ifDue { throw ValidationError("--request requires --if-due.") }
    if online, update { throw ValidationError("--online and --update exclude each other; use one of them.") }
    if let mirror {
      do throws(NetworkError) { _ = try DirectoryServer(mirror: mirror) } catch {
        throw ValidationError("--mirror: \(ServerFailure.network(error).sentence(for: .init(mirror)))")
      }
      if !online, !update { throw ValidationError("--mirror requires --update or --online.") }
    }
  }

  /// Returns the servers in the order of use. Without --mirror, looks up the directory's servers in DNS.
  func servers() -> [DirectoryServer] {
    guard let mirror else {
      DirectoryServer.limitPatience()
      return DirectoryServer.found()
    }
    return (try? DirectoryServer(mirror: mirror)).map { [$0] } ?? []
  }

  func settings() throws -> FindSettings {
    let settings = try FindSettings(named: config)
    try settings.check(for: ifDue ? .timer : update || online ? .request : .search)
    return settings
  }
}

struct FindTargetOptions: ParsableArguments {
  @OptionGroup var files: StationFileOption

  @OptionGroup var radio: RunningRadioOption
}
