enum MenuItem: CaseIterable {
  case guest, rooms, episodes, moved, find, sleep, record, keep, keepPrevious, recordings, face, knob
  case scrolling, idleClock, language, keepPreset, movePreset, removePreset, web, info, back
}
