import Directory
import DirectoryClient
import Framing
import Glibc
import Network
import Settings
import System
import Units

final class FindUpdate {
  static let agent = "Bakelite/\(Version.text)"

  private let place: DirectoryPlace
  private let settings: FindSettings
  private let options: FindDirectoryOptions
  private let isLive = isatty(STDERR_FILENO) == 1
  private var shown = MonotonicTime.zero

  init(_ place: DirectoryPlace, _ settings: FindSettings, _ options: FindDirectoryOptions) {
    (self.place, self.settings, self.options) = (place, settings, options)
  }

  func run() throws {
    if options.ifDue { guard try isDue() else { return } }
    place.makeFolder(ofState: settings.statePath)
    let path = options.ifDue ? place.configured : place.written
    let fault = Self.fault(of: path)
    if let fault, fault != .absent {
      printError("\(DisplayText.clean(path)) \(Self.words(fault)); it will be replaced once the list has arrived.")
    }
    Interrupts.catchAfter {}
    let update: DirectoryUpdate
    do throws(NetworkError) {
      update = try DirectoryUpdate(path: path, agent: Self.agent, clock: .machine) { Interrupts.isAsked }
    } catch {
      throw failure(.failed, error.sentence(for: "https://api.radio-browser.info"))
    }
    update.onProgress = { [unowned self] in show($0) }
    update.onFailure = { [unowned self] sentence in
      clear()
      printError(DisplayText.line(sentence))
    }
    let result: DirectoryUpdate.Result
    do throws(ServerFailure) { result = try update.run(from: options.servers) } catch {
      clear()
      throw failure(.failed, sentence(error, path, isKept: fault == nil))
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
    guard days > 0 else { return false }
    guard place.isWritable else {
      let isThere = isFile(DirectoryPlace.folder(of: place.configured)) || errno != ENOENT
      throw failure(.failed, Self.unwritable(place.configured, isThere: isThere))
    }
    let copy: UpdateRule.Copy
    do throws(DirectoryError) { copy = .dated(try StationDirectory(path: place.configured).date) } catch {
      copy = error == .absent ? .absent : .broken
    }
    return UpdateRule.isDue(copy, after: days, now: Int64(Clock.machine.wallSeconds()))
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
    let folder = DisplayText.clean(DirectoryPlace.folder(of: path))
    guard path.hasPrefix(InstalledPaths.state + "/") else {
      return """
        The timer's user cannot write the folder of [directory] path, \(DisplayText.clean(path)): name a file below \
        \(InstalledPaths.state), or set update_days = 0.
        """
    }
    if isThere { return "You may not write to the folder \(folder): run the command with sudo." }
    return folder == InstalledPaths.state
      ? "The folder \(folder) is not there: start the radio once, which makes it."
      : "The folder \(folder) is not there: name a file in \(InstalledPaths.state) as [directory] path."
  }

  /// Explains a failed update. Each server's failure was printed before.
  private func sentence(_ failure: ServerFailure, _ path: String, isKept: Bool) -> String {
    if case .content(.busy) = failure { return "\(DisplayText.clean(path)): \(DirectoryError.busy)" }
    if failure.isFinal { return failure.sentence(for: "") }
    let kept = isKept ? "the copy stays as it was" : "there is still no copy"
    return options.mirror == nil ? "No server gave a list of stations; \(kept)." : "So \(kept)."
  }

  private func sentence(_ result: DirectoryUpdate.Result) -> String {
    let (count, alive) = (result.summary.count, result.summary.aliveCount)
    return "The directory has \(count) stations, of which \(alive) answered its servers; it is of "
      + "\(UtcText.day(result.date)), from \(result.source), \(Self.megabytes(result.summary.byteCount))."
  }

  private func printPath(_ path: String) {
    guard path != place.configured else { return }
    let folder = DirectoryPlace.folder(of: place.configured)
    let reason = isFile(folder) ? "you may not write to \(folder)" : "there is no folder \(folder)"
    printNote(DisplayText.line("The copy is your own, \(path), since \(reason)."))
    guard place.configured == InstalledPaths.directory, isFile(folder) else { return }
    printNote("The radio's panel and clients use the copy of: sudo bakelite find --update")
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
