import Synchronization
import Units

/// What is on its way to files, from the control thread to the file thread: whole packets, and a few orders.
///
/// One writer, one reader, fixed slots. A queue that is full is told of, and nobody waits: what cannot go yet stays in
/// the block ring.
public struct FileQueue: ~Copyable, @unchecked Sendable {
  /// One slot: what it is for, and its bytes.
  public struct Slot {
    /// What the bytes are.
    public enum Kind: UInt32, Sendable {
      /// The file is to be opened.
      case open = 1
      /// Packets of audio.
      case packets = 2
      /// Text of the cue sheet, UTF-8.
      case cue = 3
      /// The file is complete.
      case close = 4
    }

    fileprivate let base: UnsafeMutableRawPointer

    /// What the bytes are.
    public var kind: Kind {
      get { Kind(rawValue: base.load(as: UInt32.self)) ?? .close }
      nonmutating set { base.storeBytes(of: newValue.rawValue, as: UInt32.self) }
    }
    /// Which file it is about.
    public var file: UInt32 {
      get { base.load(fromByteOffset: 4, as: UInt32.self) }
      nonmutating set { base.storeBytes(of: newValue, toByteOffset: 4, as: UInt32.self) }
    }
    /// How many bytes there are.
    public private(set) var byteCount: Int {
      get { Int(base.load(fromByteOffset: 8, as: UInt32.self)) }
      nonmutating set { base.storeBytes(of: UInt32(newValue), toByteOffset: 8, as: UInt32.self) }
    }
    /// How many packets they are.
    public private(set) var packetCount: Int {
      get { Int(base.load(fromByteOffset: 12, as: UInt32.self)) }
      nonmutating set { base.storeBytes(of: UInt32(newValue), toByteOffset: 12, as: UInt32.self) }
    }
    /// The bytes.
    public var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: base + FileQueue.headerByteCount, count: byteCount)
    }

    /// Whether its kind is one.
    fileprivate var isKnown: Bool { Kind(rawValue: base.load(as: UInt32.self)) != nil }

    fileprivate func clear() { (kind, file, byteCount, packetCount) = (.packets, 0, 0, 0) }

    /// Adds bytes, a packet for instance; false where they find no room.
    public func append(_ more: UnsafeRawBufferPointer) -> Bool {
      let used = byteCount
      guard used + more.count <= FileQueue.payloadByteCount, packetCount < FileQueue.mostPackets else { return false }
      if let source = more.baseAddress {
        (base + FileQueue.headerByteCount + used).copyMemory(from: source, byteCount: more.count)
      }
      byteCount = used + more.count
      base.storeBytes(of: UInt16(used + more.count), toByteOffset: 16 + 2 * packetCount, as: UInt16.self)
      packetCount += 1
      return true
    }

    /// How many of the first `count` bytes are whole packets.
    public func wholePackets(in count: Int) -> Int {
      var whole = 0
      for index in 0..<packetCount {
        let end = Int(base.load(fromByteOffset: 16 + 2 * index, as: UInt16.self))
        if end <= count { whole = end }
      }
      return whole
    }
  }

  /// Slots in all.
  static let slotCount = 24
  fileprivate static let mostPackets = 64
  fileprivate static let headerByteCount = 16 + 2 * mostPackets
  /// What a slot holds; more than a block does.
  public static let payloadByteCount = 5_232
  private static let slotByteCount = headerByteCount + payloadByteCount

  private let slots: UnsafeMutableRawPointer
  /// Room for one packet on its way from the ring.
  public let scratch: UnsafeMutableRawPointer
  private let written = Atomic<Int>(0)
  private let separate = InlineArray<15, Int>(repeating: 0)
  private let read = Atomic<Int>(0)

  static var cost: ByteCount {
    Arena.cost(of: UInt8.self, count: slotCount * slotByteCount) + Arena.cost(of: FileQueue.self)
      + Arena.cost(of: UInt8.self, count: Block.payloadByteCount)
  }

  private init(slots: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer) {
    self.slots = slots
    self.scratch = scratch
  }

  /// A queue in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<FileQueue> {
    let slots = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: slotCount * slotByteCount))
    let scratch = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: Block.payloadByteCount))
    let queue = arena.reserve(FileQueue.self)
    queue.initialize(to: FileQueue(slots: slots, scratch: scratch))
    return UnsafePointer(queue)
  }

  private func slot(_ number: Int) -> Slot { Slot(base: slots + number % Self.slotCount * Self.slotByteCount) }

  /// An empty slot to fill; nil where all are on their way. The writer's.
  public func claim() -> Slot? {
    let next = written.load(ordering: .relaxed)
    guard next - read.load(ordering: .acquiring) < Self.slotCount else { return nil }
    let slot = slot(next)
    slot.clear()
    return slot
  }

  /// Sends the slot that was claimed last. The writer's.
  public func commit() {
    let next = written.load(ordering: .relaxed)
    assert(next - read.load(ordering: .relaxed) < Self.slotCount, "a slot is claimed before it is sent")
    written.store(next + 1, ordering: .releasing)
  }

  /// The oldest slot that was sent; nil where none is left. The reader's.
  public var front: Slot? {
    let next = read.load(ordering: .relaxed)
    return next < written.load(ordering: .acquiring) ? slot(next) : nil
  }

  /// Gives that slot back. The reader's.
  public func release() {
    let next = read.load(ordering: .relaxed)
    assert(next < written.load(ordering: .relaxed), "only a slot that was sent is given back")
    read.store(next + 1, ordering: .releasing)
  }

  /// The rules that are broken. Only while neither end moves.
  func checkInvariants() -> [String] {
    var check = InvariantCheck()
    let (read, written) = (read.load(ordering: .acquiring), written.load(ordering: .acquiring))
    check.require(read >= 0 && read <= written && written - read <= Self.slotCount, "slots \(read) ..< \(written)")
    guard check.isWhole else { return check.broken }
    for number in read..<written {
      let slot = slot(number)
      let count = slot.packetCount
      check.require(slot.isKnown, "slot \(number) is for nothing")
      check.require(
        slot.byteCount <= Self.payloadByteCount && count <= Self.mostPackets, "slot \(number) holds too much")
      check.require(slot.wholePackets(in: slot.byteCount) == slot.byteCount, "slot \(number) ends within a packet")
    }
    return check.broken
  }
}
