import Blocks
import Framing
import Units

/// The concatenated frames of a file, with their positions and times. Tags, garbage and a Xing, Info or VBRI frame are
/// removed. The loop is endless, and every lap starts at a frame.
struct FrameIndex: Sendable {
  /// Complete frames without gaps.
  let audio: [UInt8]
  /// The first frame's format.
  let format: PacketFormat
  let duration: StreamTime
  private let offsets: [Int]
  private let starts: [StreamTime]

  /// Parses a file; nil if it has no frames.
  init?(file bytes: [UInt8]) {
    var (audio, offsets, starts): ([UInt8], [Int], [StreamTime]) = ([], [], [])
    audio.reserveCapacity(bytes.count)
    var (time, position, isInStep) = (StreamTime.zero, Self.tagLength(bytes), false)
    var format: PacketFormat?
    while position < bytes.count {
      guard let header = Frame(bytes.span, at: position), header.byteCount <= bytes.count - position,
        header.agrees(with: format ?? header.format),
        isInStep || Frame(bytes.span, at: position + header.byteCount)?.agrees(with: header.format) == true
      else {
        (position, isInStep) = (position + 1, false)
        continue
      }
      if format != nil || !XingHeader.isPresent(in: bytes.span.extracting(position..<position + header.byteCount)) {
        offsets.append(audio.count)
        starts.append(time)
        audio += bytes[position..<position + header.byteCount]
        time += header.duration
        format = format ?? header.format
      }
      (position, isInStep) = (position + header.byteCount, true)
    }
    guard let format, time > .zero else { return nil }
    self.audio = audio
    self.offsets = offsets
    self.starts = starts
    self.format = format
    duration = time
  }

  /// Returns the frame at a time of the endless loop: its start in bytes of all laps, and the time of the next frame.
  func frame(at time: StreamTime) -> (byte: Int, next: StreamTime) {
    let (laps, rest) = max(time, .zero).ticks.quotientAndRemainder(dividingBy: duration.ticks)
    let index = starts.partitioningIndex { $0.ticks > rest } - 1
    let next = index + 1 < starts.count ? starts[index + 1] : duration
    return (Int(laps) &* audio.count &+ offsets[index], StreamTime(ticks: laps &* duration.ticks) + next)
  }

  /// Returns byte and time of the first frame at or after a byte of the endless loop.
  func border(atOrAfter byte: Int) -> (byte: Int, time: StreamTime) {
    let (laps, rest) = max(byte, 0).quotientAndRemainder(dividingBy: audio.count)
    let index = offsets.partitioningIndex { $0 >= rest }
    let isInLap = index < offsets.count
    return (
      laps &* audio.count &+ (isInLap ? offsets[index] : audio.count),
      StreamTime(ticks: Int64(laps) &* duration.ticks) + (isInLap ? starts[index] : duration)
    )
  }

  /// Returns the offset in a lap of the first frame at or after `time`; nil beyond the last.
  func offset(atOrAfter time: StreamTime) -> Int? {
    let index = starts.partitioningIndex { $0 >= time }
    return index < offsets.count ? offsets[index] : nil
  }

  /// Returns the length of the file's leading ID3v2 tags (ID3v2.4 structure § 3.1).
  private static func tagLength(_ bytes: [UInt8]) -> Int {
    var position = 0
    while bytes.count - position >= 10, bytes[position...].starts(with: "ID3".utf8) {
      let body = bytes[position + 6..<position + 10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      position += 10 + body + (bytes[position + 5] & 0x10 != 0 ? 10 : 0)
    }
    return position
  }
}

extension Array {
  /// Returns the first index whose element satisfies a monotonic predicate, otherwise the count.
  fileprivate func partitioningIndex(_ isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
