import Synchronization
import Units

/// Passes packets and orders from the control thread to the file thread.
///
/// One writer, one reader, fixed slots; neither waits. If the queue is full, packets stay in the block ring.
public struct FileQueue: ~Copyable, @unchecked Sendable {
  /// A slot's purpose and bytes.
  public struct Slot {
    /// The purpose of a slot.
    public enum Kind: Sendable {
      /// Open the file.
      case open
      /// Write audio packets.
      case packets
      /// Write cue sheet text, UTF-8.
      case cue
      /// Close the complete file.
      case close
    }

    fileprivate struct Header {
      let kind: Kind
      let file: UInt32
      var packetCount = 0
      /// Payload offset of each piece's end.
      var ends = InlineArray<64, UInt16>(repeating: 0)
    }

    fileprivate let header: UnsafeMutablePointer<Header>
    fileprivate let payload: UnsafeMutableRawPointer

    /// The purpose of this slot.
    public var kind: Kind { header.pointee.kind }

    /// The file's number.
    public var file: UInt32 { header.pointee.file }

    /// Number of appended pieces.
    public var packetCount: Int { header.pointee.packetCount }

    /// Number of payload bytes in use.
    public var byteCount: Int { packetCount == 0 ? 0 : end(of: packetCount - 1) }

    /// The payload bytes in use.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: payload, count: byteCount) }

    private func end(of piece: Int) -> Int { Int(header.pointee.ends[piece]) }

    /// Appends a packet or other bytes; returns false if they do not fit, or if the slot has 64 pieces.
    public func append(_ more: UnsafeRawBufferPointer) -> Bool {
      let (start, count) = (byteCount, packetCount)
      guard start + more.count <= FileQueue.payloadByteCount, count < FileQueue.maxPackets else { return false }
      if let source = more.baseAddress { (payload + start).copyMemory(from: source, byteCount: more.count) }
      header.pointee.ends[count] = UInt16(start + more.count)
      header.pointee.packetCount = count + 1
      return true
    }

    /// Returns the size in bytes of the complete packets among the first `count` bytes.
    public func wholePackets(in count: Int) -> Int {
      (0..<packetCount).lazy.map(end).last { $0 <= count } ?? 0
    }
  }

  static let slotCount = 24
  static let maxPackets = 64
  /// Payload of a slot in bytes, more than a block's.
  public static let payloadByteCount = 5_232

  /// A header and its payload, a whole number of cache lines: the threads use neighbouring slots at the same time.
  private static let slotByteCount = MemoryLayout<Slot.Header>.stride + payloadByteCount

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

  private init(in arena: Arena) {
    slots = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: Self.slotCount * Self.slotByteCount))
    scratch = UnsafeMutableRawPointer(arena.reserve(UInt8.self, count: Block.payloadByteCount))
  }

  /// Creates a queue in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<FileQueue> {
    let queue = arena.reserve(FileQueue.self)
    queue.initialize(to: FileQueue(in: arena))
    return UnsafePointer(queue)
  }

  func slot(_ number: Int) -> Slot {
    let header = (slots + number % Self.slotCount * Self.slotByteCount).bindMemory(to: Slot.Header.self, capacity: 1)
    return Slot(header: header, payload: header + 1)
  }

  /// Returns an empty slot to fill; nil if all are in use. Writer only.
  public func claim(_ kind: Slot.Kind, of file: UInt32) -> Slot? {
    let next = written.load(ordering: .relaxed)
    guard next - read.load(ordering: .acquiring) < Self.slotCount else { return nil }
    let slot = slot(next)
    slot.header.initialize(to: Slot.Header(kind: kind, file: file))
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
