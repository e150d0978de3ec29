import Synchronization
import Units

/// Passes packets and orders from the control thread to the file thread.
///
/// One writer, one reader, fixed slots; neither waits. If the queue is full, packets stay in the block ring.
public struct FileQueue: ~Copyable, @unchecked Sendable {
  /// A slot's purpose and bytes.
  public struct Slot {
    /// The purpose of a slot.
    public enum Kind: UInt32, Sendable {
      /// Open the file.
      case open = 1
      /// Write audio packets.
      case packets = 2
      /// Write cue sheet text, UTF-8.
      case cue = 3
      /// Close the complete file.
      case close = 4
    }

    fileprivate let base: UnsafeMutableRawPointer

    /// The purpose of this slot.
    public var kind: Kind {
      get { Kind(rawValue: base.load(as: UInt32.self)) ?? .close }
      nonmutating set { base.storeBytes(of: newValue.rawValue, as: UInt32.self) }
    }
    /// The file's number.
    public var file: UInt32 {
      get { base.load(fromByteOffset: 4, as: UInt32.self) }
      nonmutating set { base.storeBytes(of: newValue, toByteOffset: 4, as: UInt32.self) }
    }
    /// Number of payload bytes in use.
    public private(set) var byteCount: Int {
      get { Int(base.load(fromByteOffset: 8, as: UInt32.self)) }
      nonmutating set { base.storeBytes(of: UInt32(newValue), toByteOffset: 8, as: UInt32.self) }
    }
    /// Number of appended pieces.
    public private(set) var packetCount: Int {
      get { Int(base.load(fromByteOffset: 12, as: UInt32.self)) }
      nonmutating set { base.storeBytes(of: UInt32(newValue), toByteOffset: 12, as: UInt32.self) }
    }
    /// The payload bytes in use.
    public var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: base + FileQueue.headerByteCount, count: byteCount)
    }

    var isKnown: Bool { Kind(rawValue: base.load(as: UInt32.self)) != nil }

    fileprivate func clear() {
      kind = .packets
      file = 0
      byteCount = 0
      packetCount = 0
    }

    /// Appends a packet or other bytes; returns false if they do not fit, or if the slot has 64 pieces.
    public func append(_ more: UnsafeRawBufferPointer) -> Bool {
      let used = byteCount
      guard used + more.count <= FileQueue.payloadByteCount, packetCount < FileQueue.maxPackets else { return false }
      if let source = more.baseAddress {
        (base + FileQueue.headerByteCount + used).copyMemory(from: source, byteCount: more.count)
      }
      byteCount = used + more.count
      base.storeBytes(of: UInt16(used + more.count), toByteOffset: 16 + 2 * packetCount, as: UInt16.self)
      packetCount += 1
      return true
    }

    /// Returns the size in bytes of the complete packets among the first `count` bytes.
    public func wholePackets(in count: Int) -> Int {
      var whole = 0
      for index in 0..<packetCount {
        let end = Int(base.load(fromByteOffset: 16 + 2 * index, as: UInt16.self))
        if end <= count { whole = end }
      }
      return whole
    }
  }

  static let slotCount = 24
  static let maxPackets = 64
  fileprivate static let headerByteCount = 16 + 2 * maxPackets
  /// Payload of a slot in bytes, more than a block's.
  public static let payloadByteCount = 5_232
  private static let slotByteCount = headerByteCount + payloadByteCount

  private let slots: UnsafeMutableRawPointer
  /// Buffer of a block's payload size, for one packet copied from the ring. Writer only.
  public let scratch: UnsafeMutableRawPointer
  let written = Atomic<Int>(0)
  private let separate = InlineArray<15, Int>(repeating: 0)
  let read = Atomic<Int>(0)

  static var cost: ByteCount {
    Arena.cost(of: UInt8.self, count: slotCount * slotByteCount) + Arena.cost(of: FileQueue.self)
      + Arena.cost(of: UInt8.self, count: Block.payloadByteCount)
  }

  private init(slots: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer) {
    self.slots = slots
    self.scratch = scratch
  }

  /// Creates a queue in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<FileQueue> {
    let slots = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: slotCount * slotByteCount))
    let scratch = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: Block.payloadByteCount))
    let queue = arena.reserve(FileQueue.self)
    queue.initialize(to: FileQueue(slots: slots, scratch: scratch))
    return UnsafePointer(queue)
  }

  func slot(_ number: Int) -> Slot { Slot(base: slots + number % Self.slotCount * Self.slotByteCount) }

  /// Returns an empty slot to fill; nil if all are in use. Writer only.
  public func claim() -> Slot? {
    let next = written.load(ordering: .relaxed)
    guard next - read.load(ordering: .acquiring) < Self.slotCount else { return nil }
    let slot = slot(next)
    slot.clear()
    return slot
  }

  /// Sends the last claimed slot. Writer only.
  public func commit() {
    let next = written.load(ordering: .relaxed)
    assert(next - read.load(ordering: .relaxed) < Self.slotCount, "a slot is claimed before it is sent")
    written.store(next + 1, ordering: .releasing)
  }

  /// The oldest sent slot; nil if the queue is empty. Reader only.
  public var front: Slot? {
    let next = read.load(ordering: .relaxed)
    return next < written.load(ordering: .acquiring) ? slot(next) : nil
  }

  /// Frees the oldest sent slot. Reader only.
  public func release() {
    let next = read.load(ordering: .relaxed)
    assert(next < written.load(ordering: .relaxed), "only a slot that was sent is given back")
    read.store(next + 1, ordering: .releasing)
  }
}
