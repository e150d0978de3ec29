import System

/// What is wrong with a file of settings, and where.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path, as it was asked for.
  public let file: String
  /// The line, from 1; nil where the whole file is meant.
  public let line: Int?
  /// The column in Unicode scalars, from 1; nil where the whole line is meant.
  public let column: Int?
  /// What is wrong and what would be right, beginning with a small letter.
  public let problem: String

  init(_ file: String, line: Int? = nil, column: Int? = nil, _ problem: String) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
  }

  /// One sentence: the file, the line, what is wrong and what is allowed.
  public var description: String {
    let place = [line.map { ", line \($0)" }, column.map { ", column \($0)" }].compactMap { $0 }.joined()
    return "\(file.showable(most: 200))\(place): \(problem)\(problem.hasSuffix("?") ? "" : ".")"
  }
}

/// All that is wrong with a file that cannot be used, in order of line.
public struct SettingsErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// At least one.
  public let all: [SettingsError]

  /// One fault.
  public init(_ error: SettingsError) { all = [error] }

  init(_ all: [SettingsError]) {
    precondition(!all.isEmpty, "errors are thrown where there is one")
    self.all = all
  }

  /// A sentence on each line.
  public var description: String { all.map(\.description).joined(separator: "\n") }
}

extension SettingsError {
  /// What a failed call of the system means to a file.
  init(_ file: String, cannot deed: String, errno code: Int32) {
    self.init(file, "it cannot be \(deed) (\(errnoText(code, isCapitalized: true)))")
  }
}
