import Directory
import DirectoryClient
import Framing
import Glibc
import Http
import Settings
import System
import Units

final class FindUpdate {

  private let place: DirectoryPlace
  private let settings: FindSettings
  private let options: FindDirectoryOptions
  private let report: UpdateReport
  private let isLive = isatty(STDERR_FILENO) == 1
  private var shown = MonotonicTime.zero

  init(_ place: DirectoryPlace, _ settings: FindSettings, _ options: FindDirectoryOptions, _ report: UpdateReport) {
    (self.place, self.settings, self.options) = (place, settings, options)
    self.report = report
  }

  func run() throws {
    if options.ifDue {
      try checkFolder()
      guard try report.isRequested || isDue() else { return }
    }
    report.start()
    place.makeFolder(ofState: settings.statePath)
    let path = options.ifDue ? place.configured : place.written
    let fault = Self.fault(of: path)
    if let fault, fault != .absent {
      printError("\(DisplayText.clean(path)) \(Self.words(fault)); the update replaces it after the download.")
    }
    Interrupts.catchAfter {}
    let update: DirectoryUpdate
    do throws(NetworkError) {
      update = try DirectoryUpdate(path: path, agent: Version.userAgent, clock: .machine) { [report] in
        report.update(at: Clock.machine.now())
        return Interrupts.isAsked
      }
    } catch {
      throw report.failure(error.sentence(for: "https://api.radio-browser.info"))
    }
    update.onProgress = { [unowned self] in
      report.stationCount = $0.stationCount
      show($0)
    }
    update.onFailure = { [unowned self] sentence in
      clear()
      printError(DisplayText.line(sentence))
      report.record(fault: DisplayText.line(sentence))
    }
    let result: DirectoryUpdate.Result
    do throws(ServerFailure) { result = try update.run(from: options.servers) } catch {
      clear()
      throw report.failure(sentence(error, path, isKept: fault == nil))
    }
    clear()
    printNote(sentence(result))
    printPath(path)
  }

  private static func fault(of path: String) -> DirectoryError? {
    do throws(DirectoryError) { _ = try StationDirectory(path: path) } catch { return error }
    return nil
  }

  /// Returns true if the timer must update the box's copy. Never checks a copy in a user's cache.
  private func isDue() throws -> Bool {
    let days = settings.directory.updateDays
    let copy: UpdateRule.Copy
    do throws(DirectoryError) { copy = .dated(try StationDirectory(path: place.configured).date) } catch {
      copy = error == .absent ? .absent : .broken
    }
    return UpdateRule.isDue(copy, after: days, now: Int64(Clock.machine.wallSeconds()))
  }

  /// Refuses an update for the box without write access to its copy.
  private func checkFolder() throws {
    guard report.isRequested || settings.directory.updateDays > 0, !place.isWritable else { return }
    let isThere = isFile(UserFolder.parent(of: place.configured)) || errno != ENOENT
    throw report.failure(Self.unwritable(place.configured, isThere: isThere))
  }

  // MARK: Messages

  private static func words(_ fault: DirectoryError) -> String {
    switch fault {
    case .foreign: "is not a station directory"
    case .otherVersion: "is a station directory of another version"
    case .damaged: "is damaged"
    default: "cannot be read"
    }
  }

  /// Explains why the timer cannot write the copy. `isThere`: false if its folder does not exist.
  static func unwritable(_ path: String, isThere: Bool) -> String {
    let folder = DisplayText.clean(UserFolder.parent(of: path))
    guard path.hasPrefix(InstalledPaths.state + "/") else {
      return """
        The timer cannot write to the folder of [directory] path, \(DisplayText.clean(path)): use a path below \
        \(InstalledPaths.state), or set update_days = 0.
        """
    }
    if isThere { return "You may not write to the folder \(folder): run the command with sudo." }
    return folder == InstalledPaths.state
      ? "The folder \(folder) does not exist: start the radio once to create it."
      : "The folder \(folder) does not exist: set [directory] path to a file in \(InstalledPaths.state)."
  }

  /// Explains a failed update. Each server's failure was printed before.
  private func sentence(_ failure: ServerFailure, _ path: String, isKept: Bool) -> String {
    if case .content(.busy) = failure { return "\(DisplayText.clean(path)): \(DirectoryError.busy)" }
    if failure.isFinal { return failure.sentence(for: "") }
    let kept = isKept ? "the copy is unchanged" : "there is still no copy"
    let words = options.mirror == nil ? "No server sent a station list; \(kept)" : kept
    return words.prefix(1).uppercased() + words.dropFirst() + "."
  }

  private func sentence(_ result: DirectoryUpdate.Result) -> String {
    let (count, alive) = (result.summary.count, result.summary.aliveCount)
    return "The directory has \(count) stations, \(alive) of them reachable; date "
      + "\(UtcText.day(result.date)), from \(result.source), \(Self.megabytes(result.summary.byteCount))."
  }

  private func printPath(_ path: String) {
    guard path != place.configured else { return }
    let folder = UserFolder.parent(of: place.configured)
    let reason = isFile(folder) ? "you may not write to \(folder)" : "there is no folder \(folder)"
    printNote(DisplayText.line("The update was saved to your own copy, \(path), because \(reason)."))
    guard place.configured == InstalledPaths.directory, isFile(folder) else { return }
    printNote("To update the radio's copy, run: sudo bakelite find --update")
  }

  private func show(_ progress: DirectoryUpdate.Progress) {
    let now = Clock.machine.now()
    guard isLive, now >= shown + Duration(milliseconds: 200) else { return }
    shown = now
    let text = "\(progress.server): \(progress.stationCount) stations, \(Self.megabytes(progress.byteCount))"
    let line = TextColumns.cut(DisplayText.clean(text), to: TextColumns.ofTerminal(STDERR_FILENO))
    write("\r\u{1B}[K\(line)", to: STDERR_FILENO)
  }

  private func clear() { if isLive, shown > .zero { write("\r\u{1B}[K", to: STDERR_FILENO) } }

  private static func megabytes(_ count: Int) -> String { "\(figure(Double(count / 100_000) / 10)) MB" }
}
