import ArgumentParser
import DirectoryClient
import Network
import Settings

struct FindFilterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only stations of this country: two letters, or its English name.", valueName: "country"))
  var country: String?

  @Option(help: ArgumentHelp("Only stations with this tag, such as jazz.", valueName: "tag"))
  var tag: String?

  @Option(help: ArgumentHelp("Only stations in this language, by its English name.", valueName: "language"))
  var language: String?

  @Option(
    help: ArgumentHelp("Only stations whose codec begins so, such as aac for AAC and AAC+.", valueName: "codec"),
    completion: .list(["aac", "aac+", "flac", "mp3", "ogg", "opus"]))
  var codec: String?

  var isEmpty: Bool { country == nil && tag == nil && language == nil && codec == nil }
}

struct FindDirectoryOptions: ParsableArguments {
  @Flag(
    help: """
      Ask the directory's servers and not the copy, which stays as it is. They look for all words together as one part \
      of the name; for the rest use --tag and --country.
      """)
  var online = false

  @Flag(help: "Fetch the copy anew, and search nothing.")
  var update = false

  @Flag(
    help: """
      With --update: do nothing before the first update by hand, and later only if the copy is older than [directory] \
      update_days.
      """)
  var ifDue = false

  @Option(
    help: ArgumentHelp(
      """
      With --update or --online, ask this server of yours, by http or https, instead of radio-browser's; the copy may \
      then lose any number of stations.
      """, valueName: "url"))
  var mirror: String?

  @Option(
    help: ArgumentHelp(
      "Read [directory] of this settings file. Default: \(InstalledPaths.settings).", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  func validate() throws {
    if ifDue, !update { throw ValidationError("--if-due belongs to --update.") }
    if online, update { throw ValidationError("--online and --update exclude each other; give one of them.") }
    if let mirror {
      do throws(NetworkError) { _ = try DirectoryServer(mirror: mirror) } catch {
        throw ValidationError("--mirror: \(ServerFailure.network(error).sentence(for: .init(mirror)))")
      }
      if !online, !update { throw ValidationError("--mirror belongs to --update or --online.") }
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
    let settings: FindSettings
    do throws(SettingsErrors) { settings = try FindSettings(named: config) } catch {
      throw failure(Outcome(error.all), "\(error)")
    }
    try settings.check(for: ifDue ? .timer : update || online ? .request : .search)
    return settings
  }
}

struct FindTargetOptions: ParsableArguments {
  @OptionGroup var files: StationFileOption

  @OptionGroup var radio: RunningRadioOption
}
