import CGpiod
import CLinux
import Glibc
import System
import Units

/// Lines that are watched: buttons, and the two contacts of a rotary encoder. One thread's; its end gives them back.
///
/// Rests on libgpiod, 1.6 or 2.x. A GPIO line that has the kernel's own driver (gpio-keys) is an `EvdevDevice` instead.
public final class GpioLines {
  /// What poll(2) waits for: it can be read when there are edges, or the chip is gone.
  public var descriptor: Int32 { readiness.raw }
  /// Whether the kernel keeps to the lines' `debounce`; with libgpiod 1.6 it tells every bounce.
  public let debounces: Bool

  private let readiness: Descriptor

  private struct Part {
    let request: GpioRequest
    /// The place among all lines of each line of the request.
    let lines: [Int]
  }

  /// One request for each chip.
  private let parts: [Part]
  /// Edges that were not told yet.
  private var edges: ArraySlice<GpioEdge> = []
  /// More edges at once than this come in the order of each line alone.
  private static let most = 512

  /// Takes lines, 32 of a chip at most, and watches them from now on.
  public convenience init(_ lines: [GpioLine], user: String = "bakelite") throws(HardwareError) {
    try self.init(lines, user: user, folder: "/dev", through: bk_gpio_library())
  }

  package init(
    _ lines: [GpioLine], user: String, folder: String, through api: bk_gpio_api
  ) throws(HardwareError) {
    parts = try Self.take(lines, GpioChips(folder: folder, api), user)
    debounces = api.debounces
    readiness = Descriptor(bk_watch_open())
    guard readiness.isOpen else { throw .failed("Watching GPIO lines", errno: -readiness.raw) }
    for part in parts {
      for line in part.request.descriptors { bk_watch(readiness.raw, line, false) }
    }
  }

  /// The next edge that the kernel has told, in the order of time; `nil` where there is none. Never waits.
  ///
  /// It throws when a chip is gone; the lines are dead then.
  public func next() throws(HardwareError) -> GpioEdge? {
    if edges.isEmpty { try gather() }
    return edges.popFirst()
  }

  /// Whether a line is active now, for the state to begin with.
  public func isActive(_ line: Int) throws(HardwareError) -> Bool {
    for part in parts {
      if let index = part.lines.firstIndex(of: line) { return try part.request.isActive(index) }
    }
    preconditionFailure("only lines that were asked for have a state")
  }

  private static func take(_ lines: [GpioLine], _ chips: GpioChips, _ user: String) throws(HardwareError) -> [Part] {
    var found: [(chip: GpioChip, lines: [Int], wishes: [bk_gpio_line])] = []
    for (index, line) in lines.enumerated() {
      let (chip, offset) = try chips.find(line.identifier)
      let wish = line.request(offset: offset)
      if let place = found.firstIndex(where: { $0.chip === chip && $0.lines.count < Int(BK_GPIO_MOST) }) {
        found[place].lines.append(index)
        found[place].wishes.append(wish)
      } else {
        found.append((chip, [index], [wish]))
      }
    }
    var parts: [Part] = []
    for (chip, lines, wishes) in found {
      parts.append(Part(request: try GpioRequest(chip, wishes, .watch, user: user), lines: lines))
    }
    return parts
  }

  /// Takes all there is. A pass in which nothing came shows that what was not taken is later than all that was.
  private func gather() throws(HardwareError) {
    var count = -1
    while edges.count > count, edges.count < Self.most {
      count = edges.count
      for part in parts {
        do throws(HardwareError) {
          edges += try part.request.takeEdges(room: 64).map {
            GpioEdge(
              line: part.lines[Int($0.index)], isActive: $0.is_active,
              time: MonotonicTime(nanoseconds: $0.nanoseconds))
          }
        } catch {
          // What came before it is told first.
          if edges.isEmpty { throw error }
        }
      }
    }
    edges.sort { $0.time < $1.time }
  }
}
