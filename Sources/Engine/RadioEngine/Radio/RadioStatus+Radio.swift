import Units

extension RadioStatus {
  init(_ radio: Radio, _ playback: Playback) {
    // Each is read once, because the owner reads the status in each iteration.
    let (engine, look, programme) = (radio.engine, playback.look, playback.programme)
    let (transport, summary) = (playback.transport, radio.summary)
    let (blocks, position) = (engine.blocks, transport.position(look))
    self.init()
    state = transport.state
    stopReason = state == .stopped ? playback.stopReason : nil
    isAudioPlaying = radio.isAudioPlaying
    station = playback.name
    facts = programme.facts
    codec = programme.codec
    title = programme.titles.current
    adBreak = programme.ads.current
    attempt = programme.attempt
    isResting = transport.isResting
    self.position = max(0, (position - look.base).seconds)
    duration = transport.duration(look)?.seconds
    isFileSeekAllowed = look.isFileSeekAllowed
    isRewindAllowed = transport.isRewindAllowed(1, look)
    isFastForwardAllowed = transport.isFastForwardAllowed(1, look)
    timeShift = transport.timeShift(look)
    held = transport.buffered(look).seconds
    heldBehind = max(0, (position - max(look.base, look.oldestToHear)).seconds)
    window = look.window
    secondSource = programme.secondSource
    lowerRate = programme.lowerRate?.change
    onAir = look.window?.date(of: position)
    self.blocks = blocks
    capacity = blocks.capacity?.seconds
    measuredBitRate = blocks.bitRate
    heard = playback.heardSeconds
    byteOffset = engine.byteOffset
    underruns = engine.underruns
    xruns = engine.xruns
    missedNotices = engine.missedNotices
    rescues = summary.rescues
    lost = summary.lost
    recording = radio.recording
    list = playback.items.queue.shownList
    item = radio.item
  }
}
