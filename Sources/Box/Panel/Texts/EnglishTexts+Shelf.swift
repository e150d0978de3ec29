extension EnglishTexts {
  var deletes: FittedText { "Delete?" }

  func shelf(_ shelf: PanelShelf?) -> FaultText {
    switch shelf {
    case .reading, nil: FaultText(["Reading the disk", "Reading disk"], "One moment")
    case .slow: FaultText(["The disk is slow", "Disk is slow"], ["Still reading it", "Still reading"])
    case .missing: FaultText("No recordings", ["There is no folder", "No folder yet"])
    case .unreadable: FaultText(["Folder unreadable", "Unreadable"], "Check the disk")
    case .recordings: FaultText("No recordings", ["Nothing recorded yet", "Nothing yet"])
    }
  }
}
