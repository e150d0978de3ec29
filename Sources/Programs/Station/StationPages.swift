/// The pages of a station: the list of mounts, and a playlist for each.
struct StationPages {
  let mounts: [Mount]

  /// Returns the page "/": one line per mount.
  func list(root: String) -> HTTPResponse {
    let lines = mounts.map { "\(root)\($0.path)\t\($0.format.codec), \($0.bitRate)\n" }
    return HTTPResponse(body: lines.joined())
  }

  /// Returns `/NAME.m3u` or `/NAME.pls` for a mount's NAME with or without extension; nil for other paths.
  func playlist(at path: String, root: String) -> HTTPResponse? {
    let name = String(path.dropFirst().dropLast(4))
    let entries = mounts.filter { $0.name == name || $0.stem == name }
    guard !entries.isEmpty else { return nil }
    if path.hasSuffix(".m3u") {
      let lines = entries.map { "#EXTINF:-1,\($0.stem)\n\(root)\($0.path)\n" }
      return HTTPResponse(contentType: "audio/x-mpegurl", body: "#EXTM3U\n" + lines.joined())
    }
    guard path.hasSuffix(".pls") else { return nil }
    let lines = entries.enumerated().map { index, mount in
      "File\(index + 1)=\(root)\(mount.path)\nTitle\(index + 1)=\(mount.stem)\nLength\(index + 1)=-1\n"
    }
    let head = "[playlist]\nNumberOfEntries=\(entries.count)\n"
    return HTTPResponse(contentType: "audio/x-scpls", body: head + lines.joined() + "Version=2\n")
  }
}
