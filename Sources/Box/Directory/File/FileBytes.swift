import Glibc
import System

/// The immutable bytes of a directory file. Ranges are clamped to the file.
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
  /// Programs replace the file, but never write to it or truncate it, so its pages stay unchanged. If a card cannot
  /// read a page, the program ends (SIGBUS), as for a page of its own code.
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

  /// Returns a number at a position; 0 if outside the file.
  func number<Number: FixedWidthInteger>(_ place: Int, as: Number.Type = Number.self) -> Number {
    guard place >= 0, place <= bytes.count - MemoryLayout<Number>.size else { return 0 }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }
}
