import ArgumentParser
import Directory
import System
import Units

/// The report of an update to the radio, which may have requested the update (`UpdateFiles`).
final class UpdateReport {
  private static let interval = Duration(milliseconds: 1_000)

  /// Number of stations received so far.
  var stationCount = 0
  /// True if the radio requested the update.
  let isRequested: Bool
  private let files: UpdateFiles?
  private var isStarted = false
  private var lastWrite = MonotonicTime.zero
  private var faults: [String] = []

  /// Removes the request at `path`, so that systemd starts one update for it. Without a path, nothing is reported.
  ///
  /// - Throws: An error if the request cannot be removed: systemd would start the update forever.
  init(path: String?) throws {
    files = path.map { UpdateFiles(request: $0) }
    isRequested = files?.isRequested ?? false
    if let path, let code = files?.removeRequest() {
      printError("The request \(path) cannot be removed: \(errnoText(code)).")
      throw Outcome.failed.exitCode
    }
    if isRequested { start() }
  }

  /// Reports the start of the update.
  func start() {
    guard !isStarted else { return }
    isStarted = true
    files?.write(.running(stations: 0))
  }

  /// Reports the progress, at most once a second.
  func update(at now: MonotonicTime) {
    guard isStarted, files != nil, now >= lastWrite + Self.interval else { return }
    lastWrite = now
    files?.write(.running(stations: stationCount))
  }

  /// Records a sentence for the report of a failure.
  func record(fault: String) { faults.append(fault) }

  /// Prints and records an error; returns the code for `throw`.
  func failure(_ text: String) -> ExitCode {
    record(fault: text)
    printError(text)
    return Outcome.failed.exitCode
  }

  /// Runs an update and reports its result. A request during the update is satisfied too.
  func run(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch {
      if let fault = error as? any CommandFault { faults.append(fault.sentence) }
      if faults.isEmpty { record(fault: "The settings have an error; see journalctl -u bakelite-directory.") }
      if isStarted { files?.write(.failed(faults.suffix(2).joined(separator: " "))) }
      throw error
    }
    guard isStarted else { return }
    _ = files?.removeRequest()
    files?.write(.ready)
  }
}
