/// The subjects of change notifications, with MPD's names (`idle`).
public enum Subsystem: String, CaseIterable, Hashable, Sendable {
  case database
  case storedPlaylist = "stored_playlist"
  case playlist, player, mixer, output, options, sticker, update, subscription, message, neighbor, mount, partition
}
