import Units

extension RadioStatus {
  init(_ radio: Radio, _ playback: Playback) {
    let (engine, look, programme) = (radio.engine, playback.look, playback.programme)
    let (blocks, position) = (engine.blocks, playback.transport.position(look))
    self.init()
    state = radio.state
    stopReason = state == .stopped ? playback.stopReason : nil
    isAudioPlaying = radio.isAudioPlaying
    station = playback.name
    facts = programme.facts
    codec = programme.codec
    title = programme.titles.current
    attempt = programme.attempt
    isResting = playback.transport.isResting
    self.position = max(0, (position - look.base).seconds)
    duration = radio.duration
    isFileSeekAllowed = look.isFileSeekAllowed
    isRewindAllowed = radio.isRewindAllowed(1)
    isFastForwardAllowed = radio.isFastForwardAllowed(1)
    timeShift = playback.transport.timeShift(look)
    held = playback.transport.buffered(look).seconds
    heldBehind = max(0, (position - max(look.base, look.oldestToHear)).seconds)
    window = look.window
    onAir = look.window?.date(of: position)
    self.blocks = blocks
    capacity = blocks.capacity?.seconds
    measuredBitRate = blocks.bitRate
    heard = playback.heardSeconds
    byteOffset = engine.byteOffset
    underruns = engine.underruns
    xruns = engine.xruns
    missedNotices = engine.missedNotices
    rescues = radio.summary.rescues
    lost = radio.summary.lost
    recording = radio.recording
    list = playback.items.queue.shownList
    item = radio.item
  }
}
