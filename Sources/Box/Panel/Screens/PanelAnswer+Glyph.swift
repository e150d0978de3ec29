extension PanelAnswer {
  var glyph: Glyph {
    switch self {
    case .listen: .note
    case .accept: .check
    case .refuse: .cross
    }
  }
}
