import Blocks
import Units

// The way of the packets from the ring into the queue.

extension Recorder {
  /// Takes what came of a take's programme before `limit`; false where the queue is full of what the disk has not
  /// taken.
  @discardableResult
  func pump(_ take: Take, upTo limit: StreamTime) -> Bool {
    guard take.isOpen, place(take) else { return true }
    _ = sendCue(take)
    var slot: FileQueue.Slot?
    defer { if slot?.byteCount ?? 0 > 0 { thread.send() } }
    while !take.isOver {
      guard let open = slot ?? thread.queue.pointee.claim() else {
        thread.awaitRoom()
        return false
      }
      open.file = take.file
      slot = open
      let before = take.cursor
      guard let packet = take.cursor.next(into: scratch) else {
        if let until = take.until, ring.pointee.statistics.written >= until { take.isOver = true }
        return true
      }
      if packet.start >= limit, packet.epoch == take.epoch {
        take.cursor = before
        return true
      }
      guard belongs(packet, to: take) else { return true }
      let joint = take.fit(packet, scratch)
      if !open.append(UnsafeRawBufferPointer(start: scratch, count: packet.info.byteCount)) {
        take.cursor = before
        thread.send()
        slot = nil
        continue
      }
      tell(packet, of: take)
      take.count(packet, joint: joint)
    }
    return true
  }

  /// Finds the first packet of a take that waits for its programme; false while there is none.
  private func place(_ take: Take) -> Bool {
    if take.isPlaced { return true }
    guard let epoch = take.epoch, ring.pointee.writtenEpoch == epoch else { return false }
    take.cursor = BlockCursor(ring)
    take.isPlaced = true
    return true
  }

  /// Whether a packet is a take's; ends the take where it is not.
  private func belongs(_ packet: HeldPacket, to take: Take) -> Bool {
    forgive(packet, take)
    if packet.epoch != take.epoch {
      take.failure = take.failure ?? .slow(take.path)
    } else if let until = take.until, packet.start + packet.info.duration.share(1, of: 2) > until {
      // Its end: nothing is wrong.
    } else if take.cursor.hasLost {
      take.failure = take.failure ?? .slow(take.path)
    } else if let format = take.format, !format.fits(packet.info.format) {
      take.failure = take.failure ?? .changed(format, packet.info.format)
    } else if let old = take.existing?.format, take.format == nil, !old.fits(packet.info.format) {
      take.failure = take.failure ?? .otherFormat(take.path, old, packet.info.format)
    } else {
      take.format = packet.info.format
      return true
    }
    take.isOver = true
    return false
  }

  /// A song whose beginning is dropped while its file is opened begins a little later.
  private func forgive(_ packet: HeldPacket, _ take: Take) {
    guard case .song = take.purpose, !take.hasBegun, take.cursor.hasLost, packet.epoch == take.epoch else { return }
    take.cursor.hasLost = false
    take.lost = max(.zero, packet.start - take.start)
  }

  // MARK: Titles

  /// Writes to the cue sheet what begins with a packet.
  private func tell(_ packet: HeldPacket, of take: Take) {
    guard case .recording = take.purpose else { return }
    let entry = titles.entry(at: packet.start)
    let number = entry?.number ?? -1
    guard number != take.cueNumber else { return }
    let past = take.existing?.duration ?? .zero
    let isFirst = take.cueNumber == nil
    if isFirst, take.existing == nil {
      take.cueText += CueSheet.head(file: FileName.last(take.path), station: station)
    }
    // A title that was told late began before this packet.
    let since = entry.map { max(.zero, packet.start - $0.at) } ?? .zero
    let at = isFirst ? take.recorded : take.recorded - min(since, take.recorded)
    take.cueText += take.sheet.track(entry?.title, station: station, at: past + at)
    take.cueNumber = number
  }

  /// Sends what the cue sheet waits for; false while the queue is full.
  func sendCue(_ take: Take) -> Bool {
    guard !take.cueText.isEmpty else { return true }
    guard let slot = thread.queue.pointee.claim() else { return false }
    (slot.kind, slot.file) = (.cue, take.file)
    take.cueText.withUTF8 { text in
      _ = slot.append(
        UnsafeRawBufferPointer(start: text.baseAddress, count: min(text.count, FileQueue.payloadByteCount)))
    }
    thread.send()
    take.cueText = ""
    return true
  }
}
