import Network
import Radio

// Presets are the owner's, the queue is the clients': a preset that is chosen is played from the queue.
extension PlayerController {
  /// The place of the preset that is current; nil where what is current is none.
  public var presetPlace: Int? { current.flatMap { presets.place(url: $0.request.url, name: $0.name) } }

  /// Plays the preset at a place from 0; one that is not in the queue is added to its end. False where there is none,
  /// or where the queue is full.
  @discardableResult
  public func playPreset(_ place: Int) -> Bool { entry(ofPreset: place).map { play(id: $0) } ?? false }

  /// Chooses the preset with which `play` begins; what is heard goes on (R1.6). False as for `playPreset`.
  @discardableResult
  public func selectPreset(_ place: Int) -> Bool { entry(ofPreset: place).map { select(id: $0) } ?? false }

  /// Takes other presets; stations of the queue that are presets are tuned to as these say from now on.
  public func take(_ presets: PresetList) {
    self.presets = presets
    let version = queue.version
    queue.refresh(from: presets)
    changes.insert(.storedPlaylist)
    if queue.version != version { changes.insert(.playlist) }
  }

  /// What clients know a preset by, MPD's `file`.
  func file(of preset: Preset) -> String { queue.file(of: preset) }

  /// Makes the queue hold these stations; the one that plays stays in it as long as it plays.
  public func fill(with stations: [Preset]) {
    let kept = current
    for station in queue.stations.reversed() where station.id != kept?.id { delete(id: station.id) }
    let keptPlace = kept.flatMap { PresetList(stations).place(url: $0.request.url, name: $0.name) }
    for (place, station) in stations.enumerated() {
      if place == keptPlace, let kept {
        queue.replace(id: kept.id, with: station)
        _ = queue.position(of: kept.id).map { move($0..<$0 + 1, to: min(place, queue.count - 1)) }
      } else {
        add(station.request, name: station.name)
      }
    }
    changes.insert(.playlist)
  }

  /// The queue's station for a preset. One that a client added by its address becomes the preset: it may need what the
  /// preset knows, such as a password.
  private func entry(ofPreset place: Int) -> Int? {
    guard let preset = presets[place] else { return nil }
    let same = queue.stations.filter { $0.request.url == preset.request.url }
    if let exact = same.first(where: { $0.name == preset.name }) { return exact.id }
    let bare = same.first { station in
      !presets.presets.contains { $0.name == station.name && $0.request.url == station.request.url }
    }
    guard let bare else { return add(preset.request, name: preset.name) }
    guard queue.replace(id: bare.id, with: preset) else { return nil }
    changes.insert(.playlist)
    return bare.id
  }
}
