import System

/// A fault in a file of settings.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path, as given.
  public let file: String
  /// The line, from 1; nil for the whole file.
  public let line: Int?
  /// The column in Unicode scalars, from 1; nil for the whole line.
  public let column: Int?
  /// The fault and its remedy, without a capital letter at the start.
  public let problem: String

  init(_ file: String, line: Int? = nil, column: Int? = nil, _ problem: String) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
  }

  /// One sentence: file, line, fault and allowed values.
  public var description: String {
    let place = [line.map { ", line \($0)" }, column.map { ", column \($0)" }].compactMap { $0 }.joined()
    return "\(file.showable(most: 200))\(place): \(problem)\(problem.hasSuffix("?") ? "" : ".")"
  }
}

/// The faults of an unusable file, in order of line.
public struct SettingsErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// The faults; at least one.
  public let all: [SettingsError]

  /// Creates a list with one fault.
  public init(_ error: SettingsError) { all = [error] }

  init(_ all: [SettingsError]) {
    precondition(!all.isEmpty, "errors are thrown where there is one")
    self.all = all
  }

  /// One sentence per line.
  public var description: String { all.map(\.description).joined(separator: "\n") }
}

extension SettingsError {
  init(_ file: String, cannot deed: String, errno code: Int32) {
    self.init(file, "it cannot be \(deed) (\(errnoText(code, isCapitalized: true)))")
  }
}
