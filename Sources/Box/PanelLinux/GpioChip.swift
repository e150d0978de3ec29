import CGpiod
import CLinux
import Glibc

final class GpioChip {
  let label: String
  let count: Int
  private let api: bk_gpio_api
  private let handle: UnsafeMutableRawPointer
  private let name: String
  private let path: String

  init(_ path: String, _ api: bk_gpio_api) throws(HardwareError) {
    guard let handle = api.open_chip(path) else {
      let error = bk_errno()
      throw error == EACCES || error == EPERM
        ? .forbidden(path: path, group: "gpio") : .failed("Opening \(path)", errno: error)
    }
    self.api = api
    self.handle = handle
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
    label = Self.text { api.copy_label(handle, $0, $1) } ?? name
    count = Int(max(0, api.count_lines(handle)))
  }

  deinit { api.close_chip(handle) }

  func isCalled(_ word: String) -> Bool { word == label || word == name || word == path }

  /// Requests lines; returns libgpiod's handle. The caller must retain the chip until the release.
  func requestLines(
    _ lines: [bk_gpio_line], _ use: GpioRequest.Use, user: String
  ) throws(HardwareError) -> (bk_gpio_api, UnsafeMutableRawPointer) {
    let make = use == .watch ? api.watch : api.drive
    guard let request = make(handle, lines, UInt32(lines.count), user) else { throw refusal(of: lines, bk_errno()) }
    return (api, request)
  }

  private func refusal(of lines: [bk_gpio_line], _ error: Int32) -> HardwareError {
    if error == EBUSY,
      let (line, user) = lines.lazy.compactMap({ line in self.user(of: line.offset).map { (line, $0) } }).first
    {
      return .lineBusy("\(line.offset)", chip: label, user: user)
    }
    let numbers = lines.map { "\($0.offset)" }.joined(separator: ", ")
    return .failed("Taking GPIO lines \(numbers) of \(label)", errno: error)
  }

  /// Returns the user of a line; nil if free.
  private func user(of offset: UInt32) -> String? {
    var isUsed = false
    let name = Self.text {
      isUsed = api.copy_user(handle, offset, $0, $1) > 0
      return 0
    }
    return isUsed ? (name.flatMap { $0.isEmpty ? nil : $0 } ?? "the kernel") : nil
  }

  private static func text(_ copy: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
      guard let start = room.baseAddress else { return nil }
      start.initialize(repeating: 0, count: 64)
      return copy(start, 64) < 0 ? nil : String(cString: start)
    }
  }
}

/// The GPIO chips of this machine, opened once for all look-ups.
struct GpioChips {
  private var chips: [GpioChip] = []

  /// Opens all accessible chips (/dev/gpiochip*), by number.
  init(folder: String, _ api: bk_gpio_api) throws(HardwareError) {
    let names = Self.files(in: folder).filter { $0.hasPrefix("gpiochip") }
    let sorted = names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    var failure = HardwareError.noGpio
    for name in sorted {
      do throws(HardwareError) {
        chips.append(try GpioChip("\(folder)/\(name)", api))
      } catch {
        failure = error
      }
    }
    if chips.isEmpty { throw failure }
  }

  /// Returns the chip of a line.
  func find(_ line: GpioLine) throws(HardwareError) -> GpioChip {
    guard let chip = chips.first(where: { $0.isCalled(line.chip) }) else {
      throw .noSuchChip(line.chip, existing: chips.map(\.label))
    }
    guard line.offset < chip.count else { throw .noSuchOffset(line.offset, chip: chip.label, count: chip.count) }
    return chip
  }

  private static func files(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }
}
