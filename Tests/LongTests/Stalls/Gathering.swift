/// What must be held before sound begins or comes back (R2.2), in seconds: the rule by itself, so that a table can
/// check it and the table of stalls can hold the radio to it.
struct Gathering: Sendable {
  var isLive = true
  var isFixed = false
  var waitLive = 10.0
  var waitFile = 3.0
  /// What a file's download is allowed to be ahead, beside `waitFile` (R2.3).
  var throttleBypass = 0.0
  var blocks = 1_200
  /// Bytes a second of the sound.
  var byteRate = 16_000.0

  /// Blocks that the writer keeps free for what a read brings.
  static let blocksKeptFree = 12
  static let blockByteCount = 5_120

  /// Seconds that the ring holds unheard.
  var room: Double { Double((blocks - Self.blocksKeptFree) * Self.blockByteCount) / byteRate }

  /// Seconds that come before the transfer is made to wait.
  var throttle: Double { isLive ? max(20, waitLive) : max(waitFile, throttleBypass) }

  private var most: Double { min(room, throttle) }

  /// Before the first sound.
  var start: Double { min(isLive ? (isFixed ? waitLive : min(1, waitLive)) : waitFile, most) }

  /// After starving on a living connection.
  var refill: Double { min(7, isLive ? waitLive : waitFile, most) }

  /// After starving when the connection was made anew, under both policies: who lost a station has waited already.
  var afterReconnect: Double { min(1, isLive ? waitLive : waitFile, most) }
}
