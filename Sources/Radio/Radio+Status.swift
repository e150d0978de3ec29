import AudioOutput
import Blocks
import Network
import Units

extension Radio {
  /// The radio at this moment.
  public var status: RadioStatus {
    let (blocks, look) = (engine.blocks, self.look)
    let position = transport.position(look)
    return RadioStatus(
      state: state, isAudioPlaying: isAudioPlaying, station: name,
      facts: facts, codec: codec, title: titles.current, attempt: attempt, isResting: transport.isResting,
      position: max(0, (position - look.base).seconds), duration: duration, isFileSeekAllowed: look.isFileSeekAllowed,
      isRewindAllowed: isRewindAllowed(1), isFastForwardAllowed: isFastForwardAllowed(1),
      timeShift: transport.timeShift(look), held: transport.held(look).seconds,
      heldBehind: max(0, (position - max(look.base, blocks.oldest)).seconds),
      capacity: blocks.capacity?.seconds, blocks: blocks, heard: heardSeconds,
      byteOffset: engine.byteOffset, measuredBitRate: blocks.bitRate,
      underruns: engine.underruns, xruns: engine.xruns, rescues: summary.rescues, lost: summary.lost,
      missedNotices: engine.missedNotices, recording: recording,
      list: queue.shownList, item: item)
  }

  /// What is heard, or asked for: as its list calls a file, as a station calls itself, or as a file is named.
  var name: String {
    if facts?.isLive != true, let title = queue.listed(item)?.title { return title }
    return facts?.shownName ?? queue.request?.url.description ?? ""
  }

  private var codec: String? {
    if case .format(let codec, _, _, _)? = format { codec.description } else { nil }
  }

  /// Why nothing sounds although there is something to play: the device is gone, or a pipe's reader takes nothing.
  public var sinkTrouble: SinkError? { deviceFailure ?? (phase == .stopped ? nil : engine.outputStanding) }

  /// Whether sound comes, from what is held while there is no connection, or would but for the pause (R1.9).
  public var isAudioPlaying: Bool {
    phase == .paused || phase != .stopped && engine.isSounding
  }
}
