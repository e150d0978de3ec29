extension RadioStatus {
  /// A radio that is stopped, and was never tuned.
  public init() {
    self.init(
      state: .stopped, isAudioPlaying: false, station: "", facts: nil, codec: nil, title: nil, attempt: 0,
      isResting: false, position: 0, duration: nil, isFileSeekAllowed: false, isRewindAllowed: false,
      isFastForwardAllowed: false, timeShift: 0, held: 0, heldBehind: 0, capacity: nil, blocks: .empty, heard: 0,
      byteOffset: 0, measuredBitRate: nil, underruns: 0, xruns: 0, rescues: 0, lost: 0, missedNotices: 0,
      recording: nil, list: nil, item: nil)
  }
}
