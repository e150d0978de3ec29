import Control
import Directory
import Glibc
import Panel
import System
import Units

/// Requests updates of the station directory, which a service carries out, and observes their progress. Control thread
/// only.
final class UpdateKeeper {
  /// Minimum interval of requests after a failure.
  static let minInterval = Duration(milliseconds: 60_000)
  /// Minimum interval of requests after an update, which spares the servers and the disk.
  static let minUpdateInterval = Duration(milliseconds: 3_600_000)
  /// Time in which the service must start.
  static let startTimeout = Duration(milliseconds: 15_000)
  /// Time without progress after which an update counts as ended.
  static let progressTimeout = Duration(milliseconds: 180_000)
  private static let checkInterval = Duration(milliseconds: 500)
  private static let remedy = "Run on the radio's computer: sudo bakelite find --update"

  private(set) var state: DirectoryUpdateState?
  /// Nil without a runtime folder: no service watches then.
  private let files: UpdateFiles?
  private let copy: () -> String
  private var lastRequest: MonotonicTime?
  private var lastProgress = MonotonicTime.zero
  private var nextCheck = MonotonicTime.zero
  private var stamp: UpdateFiles.Stamp?
  /// True if a client waits for a copy that another program may create.
  private var expectsCopy = false

  /// Creates a keeper with a service that watches `folder`. `copy`: returns the path of the directory's copy.
  init(folder: String? = WebFlag.folder, copy: @escaping () -> String) {
    files = folder.map { UpdateFiles(request: "\($0)/\(UpdateFiles.requestName)") }
    self.copy = copy
  }

  /// True while an update is requested or runs.
  var isActive: Bool {
    switch state {
    case .requested, .running: true
    case .ready, .failed, nil: false
    }
  }

  /// Requests an update: a minute after a failure, an hour after an update. The running update suffices.
  func request(at now: MonotonicTime) throws(ControlRefusal) {
    guard !isActive else { return }
    let interval = state == .ready ? Self.minUpdateInterval : Self.minInterval
    if let lastRequest, now < lastRequest + interval {
      let rest = Int((lastRequest + interval - now).seconds.rounded(.up))
      let (count, unit) = rest > 60 ? ((rest + 59) / 60, "min") : (rest, "s")
      throw ControlRefusal(.exists, "The last update was requested a short time ago; try again in \(count) \(unit)")
    }
    guard let files else {
      state = .failed("This radio does not run as a service. \(Self.remedy)")
      return
    }
    stamp = files.stamp
    lastRequest = now
    if let code = files.makeRequest() {
      state = .failed("The update cannot be requested (\(errnoText(code))). \(Self.remedy)")
    } else {
      (state, lastProgress, nextCheck) = (.requested, now, now)
    }
  }

  /// Watches for a copy that another program creates.
  func expectCopy() { expectsCopy = !isThere }

  private var isThere: Bool { access(copy(), F_OK) == 0 }

  /// A change of the directory or of its update.
  struct Change: Equatable {
    var isEnded = false
    var isReplaced = false
  }

  /// Checks the update's progress twice a second, and a missing copy; no system calls otherwise. Nil without a change.
  func advance(at now: MonotonicTime) -> Change? {
    guard isActive || expectsCopy, now >= nextCheck else { return nil }
    nextCheck = now + Self.checkInterval
    let old = state
    if isActive { check(at: now) }
    let isNew = expectsCopy && isThere
    let change = Change(isEnded: !isActive && state != old, isReplaced: isNew || (state == .ready && state != old))
    if change.isReplaced { expectsCopy = false }
    // A copy by hand replaces the failed update.
    if isNew, case .failed = state { state = nil }
    return state != old || isNew ? change : nil
  }

  private func check(at now: MonotonicTime) {
    guard let files else { return }
    if let current = files.stamp, current != stamp {
      (stamp, lastProgress) = (current, now)
      switch files.readProgress() {
      case .running(let count): state = .running(stations: count)
      case .ready: state = .ready
      case .failed(let sentence): state = .failed(sentence)
      case nil: break
      }
    }
    if state == .requested, now >= lastProgress + Self.startTimeout, files.isRequested {
      _ = files.removeRequest()
      state = .failed("No service fetches the directory on this radio. \(Self.remedy)")
    } else if isActive, now >= lastProgress + Self.progressTimeout {
      state = .failed("The update ended without a result. \(Self.remedy)")
    }
  }

  /// The state for a display without a copy.
  var answer: FindAnswer {
    switch state {
    case .requested: .fetching(stations: 0)
    case .running(let count): .fetching(stations: count)
    case .failed(let sentence): sentence.hasSuffix(Self.remedy) ? .absent(.byHand) : .absent(.failed)
    case .ready, nil: .absent(.unasked)
    }
  }

  func addStatus(to answer: inout ControlAnswer) {
    switch state {
    case .requested: answer.add("directory_update", "requested")
    case .running(let count): answer.add(["directory_update": "running", "directory_received": count])
    case .ready, .failed, nil: break
    }
  }

  /// Removes a request that no service has answered.
  func finish() { if isActive { _ = files?.removeRequest() } }
}
