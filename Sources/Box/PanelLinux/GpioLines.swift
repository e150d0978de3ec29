import CGpiod
import CLinux
import Glibc
import System
import Units

/// Watched lines: buttons, and the contacts of rotary encoders. One thread; the deinitializer releases the lines.
///
/// Uses libgpiod 1.6 or 2.x. A line with a kernel driver (gpio-keys) is an `EvdevDevice` instead.
public final class GpioLines {
  /// For poll(2): readable after an edge, or when the chip is gone.
  public var descriptor: Int32 { readiness.raw }
  /// True if the kernel applies the lines' `debounce`; with libgpiod 1.6 every bounce is reported.
  let debounces: Bool

  private let readiness: Descriptor

  private struct Part {
    let request: GpioRequest
    /// The position among all lines, for each line of the request.
    let lines: [Int]
  }

  /// One request per chip and 32 lines.
  private let parts: [Part]
  private var edges: ArraySlice<GpioEdge> = []
  /// Above this number of pending edges, only the order within each line is exact.
  private static let maxEdges = 512

  /// Requests lines, at most 32 in each request, and watches them.
  package init(
    _ lines: [GpioLine], user: String = "bakelite", folder: String = "/dev",
    through api: bk_gpio_api = bk_gpio_library()
  ) throws(HardwareError) {
    parts = try Self.request(lines, GpioChips(folder: folder, api), user)
    debounces = api.debounces
    readiness = Descriptor(bk_watch_open())
    guard readiness.isOpen else { throw .failed("Watching GPIO lines", errno: -readiness.raw) }
    for part in parts {
      for line in part.request.descriptors { bk_watch(readiness.raw, line, false) }
    }
  }

  /// Returns the next edge in order of time; nil if no edge is pending. Never blocks. Throws if a chip is gone; the
  /// lines are then unusable.
  public func next() throws(HardwareError) -> GpioEdge? {
    if edges.isEmpty { try gather() }
    return edges.popFirst()
  }

  /// True if a line is now active, for the initial state.
  public func isActive(_ line: Int) throws(HardwareError) -> Bool {
    for part in parts {
      if let index = part.lines.firstIndex(of: line) { return try part.request.isActive(index) }
    }
    preconditionFailure("only lines that were asked for have a state")
  }

  private static func request(_ lines: [GpioLine], _ chips: GpioChips, _ user: String) throws(HardwareError) -> [Part] {
    var found: [(chip: GpioChip, lines: [Int], wishes: [bk_gpio_line])] = []
    for (index, line) in lines.enumerated() {
      let chip = try chips.find(line)
      if let place = found.firstIndex(where: { $0.chip === chip && $0.lines.count < Int(BK_GPIO_MOST) }) {
        found[place].lines.append(index)
        found[place].wishes.append(line.request)
      } else {
        found.append((chip, [index], [line.request]))
      }
    }
    var parts: [Part] = []
    for (chip, lines, wishes) in found {
      parts.append(Part(request: try GpioRequest(chip, wishes, .watch, user: user), lines: lines))
    }
    return parts
  }

  /// Reads all pending edges. A pass without edges proves that later edges are newer than all read ones.
  private func gather() throws(HardwareError) {
    var count = -1
    while edges.count > count, edges.count < Self.maxEdges {
      count = edges.count
      for part in parts {
        do throws(HardwareError) {
          edges += try part.request.readEdges(room: 64).map {
            GpioEdge(
              line: part.lines[Int($0.index)], isActive: $0.is_active,
              time: MonotonicTime(nanoseconds: $0.nanoseconds))
          }
        } catch {
          // Earlier edges are returned before the error.
          if edges.isEmpty { throw error }
        }
      }
    }
    edges.sort { $0.time < $1.time }
  }
}
