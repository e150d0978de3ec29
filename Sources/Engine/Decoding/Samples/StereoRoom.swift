/// The frames of one packet, two samples of 24 bits each, in memory that grows to the longest packet.
struct StereoRoom: ~Copyable {
  private var samples: UnsafeMutablePointer<Int32>?
  private var capacity = 0
  private(set) var count = 0

  deinit { samples?.deallocate() }

  mutating func clear() { count = 0 }

  /// Replaces the frames with `count` mixed frames; `sample` returns an input sample.
  @inline(__always)
  mutating func fill(_ count: Int, _ mix: Downmix, _ sample: (_ frame: Int, _ channel: Int) -> Int32) {
    mix.write(count, to: room(count), sample)
    self.count = count
  }

  /// Replaces the frames with `count` frames that `write` stores.
  mutating func fill(_ count: Int, _ write: (UnsafeMutablePointer<Int32>) -> Void) {
    write(room(count))
    self.count = count
  }

  private mutating func room(_ count: Int) -> UnsafeMutablePointer<Int32> {
    if let samples, count <= capacity { return samples }
    samples?.deallocate()
    let new = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * max(1, count))
    (samples, capacity) = (new, count)
    return new
  }

  func copy(from offset: Int, count: Int, to out: UnsafeMutablePointer<Int32>) {
    precondition(offset >= 0 && count >= 0 && offset + count <= self.count, "a packet has so many frames")
    guard let samples else { return }
    out.update(from: samples + 2 * offset, count: 2 * count)
  }
}
