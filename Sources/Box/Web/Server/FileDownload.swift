import CMicrohttpd

/// A part of a file as the body of a response. `BlockReaders` reads the next block while the browser receives a block.
/// Memory: two blocks of `blockLength` bytes. Server's thread only.
final class FileDownload {
  static let blockLength = 32_768

  let count: Int
  /// Called when libmicrohttpd requests bytes, because the reader made progress.
  var onRead: () -> Void = {}
  private let file: PassedFile
  private let start: Int
  private var readers: BlockReaders?
  private var block: BlockReaders.Block?
  private var connection: OpaquePointer?
  private var visitor: Visitor?
  private var isSuspended = false
  private var isOver = false

  init(_ file: PassedFile, _ part: Range<Int>) { (self.file, start, count) = (file, part.lowerBound, part.count) }

  func open(_ connection: OpaquePointer, _ visitor: Visitor, _ readers: BlockReaders) {
    (self.connection, self.visitor, self.readers) = (connection, visitor, readers)
  }

  /// Copies bytes at a position of the part, and returns their number; nil if the file is shorter than at its start.
  /// Suspends the connection and returns 0 until the disk has delivered the block.
  func read(at position: UInt64, into room: UnsafeMutableRawBufferPointer) -> Int? {
    guard !isOver, position < UInt64(count), !room.isEmpty, let connection else { return nil }
    onRead()
    let offset = start + Int(position)
    let block = block.flatMap { $0.part.contains(offset) ? $0 : nil } ?? request(at: offset)
    guard let bytes = block.bytes else {
      isSuspended = true
      MHD_suspend_connection(connection)
      return 0
    }
    let rest = bytes.dropFirst(offset - block.part.lowerBound).prefix(room.count)
    guard !rest.isEmpty else { return nil }
    room.copyBytes(from: rest)
    let next = offset + rest.count
    if next < start + count, next >= block.part.lowerBound + bytes.count { _ = request(at: next) }
    return rest.count
  }

  private func request(at offset: Int) -> BlockReaders.Block {
    let new = BlockReaders.Block(file, offset..<min(offset + Self.blockLength, start + count))
    block = new
    readers?.submit(new)
    return new
  }

  /// Continues the response if its block was read, or if the browser has left.
  func attend() {
    guard isSuspended else { return }
    let hasLeft = visitor.map { $0.isLeaving || $0.hasLeft } ?? true
    if hasLeft { end() } else if block?.bytes != nil { resume() }
  }

  /// Ends the response early.
  func end() {
    isOver = true
    resume()
  }

  /// Releases the connection, which libmicrohttpd frees.
  func close() {
    if let block { readers?.cancel(block) }
    (connection, visitor, block) = (nil, nil, nil)
    (isOver, isSuspended) = (true, false)
  }

  private func resume() {
    guard isSuspended, let connection else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }
}
