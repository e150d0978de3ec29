import Control
import Glibc
import Radio
import Settings

// Presets, which are the owner's, and the queue, which is the clients'.

extension Appliance {
  /// Reads settings and stations again; what plays goes on.
  func reload() {
    service.reloading(at: now)
    do throws(SettingsErrors) {
      configuration = try launch.configuration()
    } catch {
      log(.error, "\(error.description)\nThe settings stay as they were.")
    }
    readStations()
    if let desk = tuner?.desk {
      desk.take(presets)
      if queueKeeper.followsPresets { queueKeeper.fill(desk, book, configuration.buffer) }
    }
    log(.notice, "Settings and stations were read again: \(book.pages.count) stations.")
    service.ready()
  }

  /// Reads the stations again. A file that cannot be read as a whole may be half written, and one without stations is
  /// a slip: then the stations stay as they were.
  private func readStations() {
    let read = StationBook(launch.stationsPath, configuration.buffer)
    guard !book.pages.isEmpty, !read.isWhole || read.pages.isEmpty else {
      book = read
      return
    }
    let fault = read.isWhole ? "holds no station that can be used" : "cannot be read"
    log(.error, "\(launch.stationsPath) \(fault); the \(book.pages.count) stations stay as they were.")
  }

  /// The presets as clients have them.
  private var presets: PresetList { PresetList(book.presets, changed: Int64(time(nil))) }

  /// Gives a new radio the presets, and the queue as it was left.
  func fillQueue(of desk: RadioDesk) {
    desk.take(presets)
    queueKeeper.fill(desk, book, configuration.buffer)
  }

  /// Plays what was played last, or else the first station.
  func playLast() {
    guard let desk = tuner?.desk else { return }
    state.isStandby = false
    if let place = book.place(url: state.stationURL, name: state.stationName) {
      desk.playPreset(place)
    } else if let request = state.stationURL.flatMap({ StationBook.request($0, configuration.buffer) }) {
      desk.tune(request, name: state.stationName ?? "")
    } else if !desk.playPreset(0) {
      desk.play(0)
    }
  }
}
