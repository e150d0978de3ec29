/// Which of a radio's connections something is about. No number is used twice, so what comes late of an older
/// connection is known to be that.
struct LineID: Hashable, Sendable {
  private let number: UInt64

  /// The connection before the first one.
  static let none = LineID(number: 0)

  /// The connection that is made next.
  var next: LineID { LineID(number: number + 1) }
}
