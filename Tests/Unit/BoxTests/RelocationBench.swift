import Network
import RadioEngine
import Settings
import Units

@testable import Box

/// A box with a directory that can move the first preset.
final class RelocationBench {
  /// The first preset's id in the directory, with its old and new address.
  static let id = "960cf833-0601-11e8-ae97-52543be04c81"
  static let old: StationAddress = "http://one.example/"
  static let new: StationAddress = "http://audio.one.example/live"

  let owner = FakeOwner()
  let presets: PresetController
  let settings: SettingsController
  let directory = FakeDirectory()
  let listener = FakeListener()
  let relocation: RelocationController
  var kept: PresetHealth?
  var moved: [String] = []
  var second = 0.0
  var wall: Int64? = 1_800_000_000
  var isRecording = false

  init(_ relocate: String = "ask", _ health: PresetHealth = PresetHealth()) {
    presets = PresetController(["One", "Two"], owner)
    settings = SettingsController(Configuration(), owner)
    _ = try? settings.set("directory.relocate", as: relocate, over: presets.catalog.base)
    directory.candidates = [
      FakeDirectory.entry(
        RelocationBench.id, "One", "http://one.example/", homepage: "http://www.one.example")
    ]
    var keep: (PresetHealth) -> Void = { _ in }
    relocation = RelocationController(presets, settings, health, directory, listener) { keep($0) }
    keep = { [unowned self] in kept = $0 }
    relocation.onMove = { [unowned self] in moved.append($0) }
  }

  func seen(_ url: StationAddress?) -> RelocationController.BoxState {
    .init(tuned: url, isRecording: isRecording, wall: wall.map { $0 + Int64(second) }, now: at(second))
  }

  func play(_ url: StationAddress) {
    relocation.process(.connecting(url: ""), nil, seen(url))
    relocation.process(.playing(station: nil, latency: 0, behindLive: nil), nil, seen(url))
    second += 20
    relocation.advance(seen(url))
    relocation.process(.stopped(.user), nil, seen(url))
  }

  func fail(_ url: StationAddress = RelocationBench.old, status: Int = 404) {
    relocation.process(.connecting(url: ""), nil, seen(url))
    let fault = PlaybackFault(.refused(hasCredentials: false), url: "", status: status)
    relocation.process(.stopped(.error), fault, seen(url))
  }

  /// Fails a preset once a day.
  func failDays(_ days: Int, _ url: StationAddress = RelocationBench.old) {
    for _ in 0..<days {
      fail(url)
      second += 86_400
    }
  }

  /// Changes the address of the directory's entry.
  func move(_ change: (inout RelocationCandidate) -> Void = { _ in }) {
    directory.candidates[0].url = RelocationBench.new
    change(&directory.candidates[0])
  }

  func hear(_ verdict: CandidateVerdict) {
    listener.verdict = verdict
    relocation.advance(seen(RelocationBench.old))
  }
}
