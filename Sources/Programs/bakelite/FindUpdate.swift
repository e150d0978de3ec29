import Directory
import DirectoryClient
import Framing
import Glibc
import Network
import Settings
import System
import Units

/// `bakelite find --update`: fetches the copy of the directory, and says how far it is.
final class FindUpdate {
  /// What the directory's servers are told.
  static let agent = "Bakelite/\(Version.text)"

  private let place: DirectoryPlace
  private let settings: Configuration.Directory
  /// Whether a timer asks, and not a person.
  private let isTimed: Bool
  private let servers: () -> [DirectoryServer]
  private let isLive = isatty(STDERR_FILENO) == 1
  private var shown = MonotonicTime.zero

  init(
    _ place: DirectoryPlace, _ settings: Configuration.Directory, isTimed: Bool,
    servers: @escaping () -> [DirectoryServer]
  ) {
    (self.place, self.settings, self.isTimed, self.servers) = (place, settings, isTimed, servers)
  }

  func run() throws {
    let path = place.written
    let fault = Self.fault(of: path)
    if isTimed, !isDue(path, fault) { return }
    if let fault, fault != .absent { sayError("\(DisplayText.clean(path)): \(fault)") }
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
      sayError(DisplayText.line(sentence))
    }
    let result: DirectoryUpdate.Result
    do throws(ServerFailure) { result = try update.run(from: servers) } catch {
      clear()
      let kept = fault == nil ? "the copy stays as it was" : "there is still no copy"
      throw failure(.failed, error.isFinal ? error.sentence(for: "") : "No server gave a list of stations; \(kept).")
    }
    clear()
    say(sentence(result))
    sayPlace(path)
  }

  /// Why a file is no copy; nil where it is one.
  private static func fault(of path: String) -> DirectoryError? {
    do throws(DirectoryError) { _ = try StationDirectory(path: path) } catch { return error }
    return nil
  }

  private func isDue(_ path: String, _ fault: DirectoryError?) -> Bool {
    let copy: UpdateRule.Copy
    if fault == .absent {
      copy = .absent
    } else {
      copy = (try? StationDirectory(path: path).date).map { .dated($0) } ?? .broken
    }
    return UpdateRule.isDue(copy, after: settings.updateDays, now: Int64(Clock.machine.wallSeconds()))
  }

  // MARK: What is said

  private func sentence(_ result: DirectoryUpdate.Result) -> String {
    let (count, alive) = (result.summary.count, result.summary.aliveCount)
    return "The directory has \(count) stations, of which \(alive) answered its servers; it is of "
      + "\(UtcText.day(result.date)), from \(result.source), \(Self.megabytes(result.summary.byteCount))."
  }

  /// A copy of a person's own is not the box's.
  private func sayPlace(_ path: String) {
    guard path == place.cached, isFile(DirectoryPlace.folder(of: InstalledPaths.directory)) else { return }
    say("This copy is your own; the radio's panel and clients use that of: sudo bakelite find --update")
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
