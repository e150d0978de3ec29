import Control
import Panel
import Recordings
import Units

/// The recordings for the panel. Control thread only: other threads use the disk.
final class ShelfKeeper {
  /// The end of an order that the panel must show, or carry out.
  enum Outcome: Equatable {
    case play(path: String, title: String)
    case notice(PanelNotice)
  }

  /// Reads the folder. Runs on a thread of its own.
  typealias Reader = @Sendable (RecordingFolder) throws(RecordingError) -> PanelShelf

  private enum End: Sendable {
    case playable, deleted, growing
  }

  private struct Reading {
    let job: RecordingShelf.Job<PanelShelf>
    let since: MonotonicTime
    /// True if the panel closed the list meanwhile: the folder may have changed at the next opening.
    var isStale = false
  }

  private struct Pending {
    let name: String
    let isDeletion: Bool
    let job: RecordingShelf.Job<End>
  }

  /// Maximum number of recordings on the display, the newest.
  private static let maxCount = 500
  /// Time after which a disk counts as slow.
  private static let patience = Duration(milliseconds: 4_000)

  private let shelf: RecordingShelf
  private let reader: Reader
  private var reading: Reading?
  /// The list while the panel shows it.
  private var list: PanelShelf?
  private var pending: Pending?
  private var refusal: PanelNotice?

  /// Creates the view of a folder, which may be missing. `wake` receives a descriptor that is readable when a job ends.
  init(_ path: String, reader: @escaping Reader = ShelfKeeper.read, wake: (Int32) -> Void) {
    shelf = RecordingShelf(path)
    self.reader = reader
    wake(shelf.finished.flag.descriptor)
  }

  /// Returns the recordings; nil if the panel does not show them. Each opening of the list reads the folder again.
  func answer(isShown: Bool, at now: MonotonicTime) -> PanelShelf? {
    let read = removeEndedReading()
    guard isShown else {
      list = nil
      reading?.isStale = true
      return nil
    }
    list = list ?? read
    if let list { return list }
    if reading == nil { beginReading(at: now) }
    guard let reading else { return .slow }
    return now - reading.since < Self.patience ? .reading : .slow
  }

  /// Starts an order for a recording; false for another order.
  func apply(_ order: PanelOrder) -> Bool {
    switch order {
    case .playRecording(let name):
      begin(name, isDeletion: false) { folder throws(RecordingError) in
        _ = try folder.open(name)
        return .playable
      }
    case .deleteRecording(let name):
      begin(name, isDeletion: true) { folder throws(RecordingError) in
        do throws(RecordingError) { try folder.remove(name) } catch {
          guard error == .growing(name) else { throw error }
          return .growing
        }
        return .deleted
      }
    default: return false
    }
    return true
  }

  /// Returns the end of the order; nil before the end, or without an order. Clears the wake flag.
  func advance() -> Outcome? {
    shelf.finished.flag.clear()
    if let refusal {
      self.refusal = nil
      // The order may have ended too; the next call reports it.
      if pending != nil { shelf.finished.flag.raise() }
      return .notice(refusal)
    }
    guard let pending else { return nil }
    do throws(ControlRefusal) {
      guard let end = try pending.job.result() else { return nil }
      self.pending = nil
      switch end {
      case .playable:
        return .play(path: shelf.folder.path(of: pending.name), title: RecordingEntry.title(of: pending.name))
      case .growing: return .notice(.recordingGrowing)
      case .deleted:
        remove(pending.name)
        return nil
      }
    } catch {
      self.pending = nil
      log(.warning, error.message)
      return .notice(pending.isDeletion ? .recordingNotDeleted : .stationNotPlayed)
    }
  }

  /// Reads the newest recordings. Blocks for the disk.
  static func read(_ folder: RecordingFolder) throws(RecordingError) -> PanelShelf {
    let listing = try folder.list()
    if listing.isMissing { return .missing }
    return .recordings(listing.entries.prefix(maxCount).map { PanelShelf.Entry($0.name, title: $0.title) })
  }

  private func beginReading(at now: MonotonicTime) {
    do throws(ControlRefusal) {
      reading = Reading(job: try shelf.begin(reader), since: now)
    } catch {
      // All threads wait for the disk; the next call tries again.
    }
  }

  /// Returns the list of a reading that has ended; nil before the end, or if the list is stale.
  private func removeEndedReading() -> PanelShelf? {
    guard let reading else { return nil }
    do throws(ControlRefusal) {
      guard let list = try reading.job.result() else { return nil }
      self.reading = nil
      return reading.isStale ? nil : list
    } catch {
      self.reading = nil
      log(.warning, error.message)
      return reading.isStale ? nil : .unreadable
    }
  }

  private func begin(
    _ name: String, isDeletion: Bool, _ work: @escaping @Sendable (RecordingFolder) throws(RecordingError) -> End
  ) {
    guard pending == nil else { return refusal = .diskBusy }
    do throws(ControlRefusal) {
      pending = Pending(name: name, isDeletion: isDeletion, job: try shelf.begin(work))
    } catch {
      refusal = .diskBusy
    }
  }

  private func remove(_ name: String) {
    guard case .recordings(let entries)? = list else { return }
    list = .recordings(entries.filter { $0.name != name })
  }
}
