enum MenuItem: CaseIterable {
  case guest, rooms, episodes, moved, find, sleep, record, keep, keepPrevious, face, knob, scrolling, idleClock
  case language, keepPreset, movePreset, removePreset, web, info, back
}
