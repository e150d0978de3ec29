import System

enum PageFilesError: Error, Equatable, CustomStringConvertible {
  case unreadable(String, errno: Int32)
  case noPage(String)
  case tooMuch(String)

  var description: String {
    switch self {
    case .unreadable(let path, let code):
      "The page's files cannot be read at \(path): \(errnoText(code)); in a clone, add --files config/web."
    case .noPage(let path): "The folder \(path) has no page: index.html is missing; name another one by --files."
    case .tooMuch(let path): "The folder \(path) has more than 100 files or 1 MiB; name the page's by --files."
    }
  }
}
