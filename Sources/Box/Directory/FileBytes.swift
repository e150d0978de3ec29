import Glibc
import System

/// The immutable bytes of a directory. Reads outside the range are clamped.
final class FileBytes: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  var count: Int { bytes.count }

  init(copying source: UnsafeRawBufferPointer) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 8)
    copy.copyMemory(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    isMapped = false
  }

  /// Maps a file for reading (`mmap(2)`).
  ///
  /// The file is only ever replaced, never written or truncated, so that its pages stay unchanged. A card that cannot
  /// read a page ends the program (SIGBUS), as with a page of the program itself.
  init(mapping file: borrowing Descriptor, count: Int) throws(DirectoryError) {
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      isMapped = false
      return
    }
    guard let place = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.raw, 0), place != MAP_FAILED else {
      throw .unreadable(errno)
    }
    bytes = UnsafeRawBufferPointer(start: place, count: count)
    isMapped = true
  }

  deinit {
    guard let place = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
    if isMapped { munmap(place, bytes.count) } else { place.deallocate() }
  }

  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
  }

  /// A number at a position; 0 if outside the file.
  func number<Number: FixedWidthInteger>(_ place: Int, as: Number.Type = Number.self) -> Number {
    guard place >= 0, place <= bytes.count - MemoryLayout<Number>.size else { return 0 }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }
}
