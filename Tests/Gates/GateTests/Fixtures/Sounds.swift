// compiles
import Synchronization

/// Allowed actions of the render thread. This fixture compiles, so the others fail because of their actions.
struct Meter: ~Copyable {
  let peak = Atomic<Int>(0)
  private let samples: UnsafeMutablePointer<Int32>
  private let count: Int

  init(_ samples: UnsafeMutablePointer<Int32>, _ count: Int) {
    self.samples = samples
    self.count = count
  }

  @_noLocks @_noAllocation
  mutating func measure(_ gain: Int32) {
    var highest: Int32 = 0
    for index in 0..<count {
      samples[index] = samples[index] &* gain
      highest = max(highest, samples[index])
    }
    peak.store(Int(highest), ordering: .relaxed)
  }
}
