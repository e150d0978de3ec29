struct HlsPlaylistBuilder {
  /// The first line, apart from comments and unknown tags.
  private enum Head {
    case awaited
    /// The line "#EXTM3U".
    case told
    /// Another HLS tag: accepted if segments or variants follow.
    case missing
    /// An address.
    case wrong
  }

  private var head = Head.awaited
  private var media = SegmentListBuilder()
  private var master = VariantListBuilder()
  private var version = 1
  private var start: PlaylistStart?
  private var variables = PlaylistVariables()

  /// Processes a line without its line end. `isCut`: true if the line was longer than `bytes`.
  mutating func process(_ bytes: ArraySlice<UInt8>, isCut: Bool) {
    var line = bytes.trimmed
    if head == .awaited, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3).trimmed }
    guard let first = line.first, head != .wrong else { return }
    guard first == UInt8(ascii: "#") else { return processAddress(line, isCut: isCut) }
    guard line.begins(anyCase: "#ext") else { return }
    if head == .awaited, line.begins(anyCase: "#extm3u") { head = .told }
    guard let (tag, value) = HlsTag.read(line) else { return }
    if head == .awaited { head = .missing }
    switch tag.home {
    case .media: media.process(tag, value, isCut: isCut)
    case .master: master.process(tag, value, isCut: isCut, variables)
    case .either: if !isCut { processCommon(tag, value) }
    }
  }

  private mutating func processCommon(_ tag: HlsTag, _ value: ArraySlice<UInt8>) {
    switch tag {
    case .version: version = value.smallNumber.map { Int(clamping: max(1, min(1_000, $0))) } ?? version
    case .start: start = PlaylistStart(AttributeList(value)) ?? start
    case .define: variables.define(AttributeList(value))
    default: break
    }
  }

  private mutating func processAddress(_ line: ArraySlice<UInt8>, isCut: Bool) {
    if head == .awaited {
      head = .wrong
    } else if media.isSegmentNext {
      media.processAddress(line, isCut: isCut)
    } else if !isCut {
      master.processAddress(line, variables)
    }
    master.endVariant()
  }

  /// Returns a master playlist if the tags suggest it and no segment was listed, otherwise a media playlist.
  ///
  /// - Throws: The errors of `HlsPlaylistReader.finish`.
  mutating func finish() throws(HlsPlaylistError) -> HlsPlaylist {
    let isFull = media.count > 0 || !master.list.variants.isEmpty
    switch head {
    case .awaited: throw .empty
    case .wrong: throw .notPlaylist
    case .missing where !isFull: throw .notPlaylist
    case .missing, .told: break
    }
    let isMaster = !master.list.variants.isEmpty || master.hasTags && !media.hasTags
    if media.count == 0, isMaster {
      var list = master.list
      list.start = start
      return .master(list)
    }
    return .media(media.finish(version: version, start: start, variables: variables))
  }
}
