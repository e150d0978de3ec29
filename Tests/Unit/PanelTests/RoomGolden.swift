/// Expected rooms of a Snapcast server, in 20×4 and 16×2.
extension Golden {
  static let englishRooms: [String: String] = [
    "rooms": """
    ┌────────────────────┐ ┌────────────────┐
    │→Kitchen          74│ │→Kitchen      74│
    │ Living room up MUTE│ │ Living roo MUTE│
    │ Bath              ⊘│ └────────────────┘
    │ Spalnya           0│
    └────────────────────┘
    """,
    "rooms, the end": """
    ┌────────────────────┐ ┌────────────────┐
    │ Living room up MUTE│ │ Spalnya       0│
    │ Bath              ⊘│ │→Back           │
    │ Spalnya           0│ └────────────────┘
    │→Back               │
    └────────────────────┘
    """,
    "a room": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Kitchen           │ │Kitchen  ▀▀█ █▄█│
    │      ▀▀█ █▄█       │ │██████··   █   █│
    │        █   █       │ └────────────────┘
    │██████████████▊·····│
    └────────────────────┘
    """,
    "a room, muted": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Living room u MUTE│ │Livi ▀█  █▀█ █▀█│
    │    ▀█  █▀█ █▀█     │ │MUTE ▄█▄ █▄█ █▄█│
    │    ▄█▄ █▄█ █▄█     │ └────────────────┘
    │████████████████████│
    └────────────────────┘
    """,
    "a room, away": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Bath              │ │Bath         █≡█│
    │        █≡█         │ │⊘ █········· ▄▄█│
    │        ▄▄█         │ └────────────────┘
    │█▊··················│
    └────────────────────┘
    """,
    "menu, rooms": """
    ┌────────────────────┐ ┌────────────────┐
    │→Rooms              │ │→Rooms          │
    │ Find stations      │ │ Find stations  │
    │ Sleep in        off│ └────────────────┘
    │ Record          off│
    └────────────────────┘
    """,
    "as a room": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschland 58│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │Kitchen         58 %│
    └────────────────────┘
    """,
    "as a room, muted": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschla MUTE│
    │Feeling Good        │ │Feeling Good    │
    │                    │ └────────────────┘
    │Kitchen         MUTE│
    └────────────────────┘
    """,
    "as a room, paused": """
    ┌────────────────────┐ ┌────────────────┐
    │⏸ Deutschlandfunk   │ │⏸ Deutschland 58│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │Kitchen         58 %│
    └────────────────────┘
    """,
    "as a room, no title": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschlan 100│
    │                    │ │Kitchen         │
    │                    │ └────────────────┘
    │Kitchen        100 %│
    └────────────────────┘
    """,
    "as a room, stopped": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Kitchen           │ │■ Kitchen     58│
    │Stopped             │ │Stopped         │
    │                    │ └────────────────┘
    │Kitchen         58 %│
    └────────────────────┘
    """,
    "as a room, server gone": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Kitchen           │ │Snapserver gone │
    │Snapserver is gone  │ │Looking for it  │
    │Looking for it      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "as a room, no snapserver": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Bakelite          │ │Not a snapserver│
    │Not a snapserver    │ │Check settings  │
    │Check the settings  │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "as a room, client gone": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Bakelite          │ │Snapclient gone │
    │Snapclient is gone  │ │Waiting for it  │
    │Waiting for it      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
  ]

  static let germanRooms: [String: String] = [
    "rooms": """
    ┌────────────────────┐ ┌────────────────┐
    │→Kitchen          74│ │→Kitchen      74│
    │ Living room u STUMM│ │ Living ro STUMM│
    │ Bath              ⊘│ └────────────────┘
    │ Spalnya           0│
    └────────────────────┘
    """,
    "rooms, the end": """
    ┌────────────────────┐ ┌────────────────┐
    │ Living room u STUMM│ │ Spalnya       0│
    │ Bath              ⊘│ │→Zurück         │
    │ Spalnya           0│ └────────────────┘
    │→Zurück             │
    └────────────────────┘
    """,
    "a room": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Kitchen           │ │Kitchen  ▀▀█ █▄█│
    │      ▀▀█ █▄█       │ │██████··   █   █│
    │        █   █       │ └────────────────┘
    │██████████████▊·····│
    └────────────────────┘
    """,
    "a room, muted": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Living room  STUMM│ │Livi ▀█  █▀█ █▀█│
    │    ▀█  █▀█ █▀█     │ │STUMM▄█▄ █▄█ █▄█│
    │    ▄█▄ █▄█ █▄█     │ └────────────────┘
    │████████████████████│
    └────────────────────┘
    """,
    "a room, away": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Bath              │ │Bath         █≡█│
    │        █≡█         │ │⊘ █········· ▄▄█│
    │        ▄▄█         │ └────────────────┘
    │█▊··················│
    └────────────────────┘
    """,
    "menu, rooms": """
    ┌────────────────────┐ ┌────────────────┐
    │→Räume              │ │→Räume          │
    │ Sender suchen      │ │ Sender suchen  │
    │ Timer           aus│ └────────────────┘
    │ Aufnahme        aus│
    └────────────────────┘
    """,
    "as a room": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschland 58│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │Kitchen         58 %│
    └────────────────────┘
    """,
    "as a room, muted": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschl STUMM│
    │Feeling Good        │ │Feeling Good    │
    │                    │ └────────────────┘
    │Kitchen        STUMM│
    └────────────────────┘
    """,
    "as a room, paused": """
    ┌────────────────────┐ ┌────────────────┐
    │⏸ Deutschlandfunk   │ │⏸ Deutschland 58│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │Kitchen         58 %│
    └────────────────────┘
    """,
    "as a room, no title": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschlan 100│
    │                    │ │Kitchen         │
    │                    │ └────────────────┘
    │Kitchen        100 %│
    └────────────────────┘
    """,
    "as a room, stopped": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Kitchen           │ │■ Kitchen     58│
    │Gestoppt            │ │Gestoppt        │
    │                    │ └────────────────┘
    │Kitchen         58 %│
    └────────────────────┘
    """,
    "as a room, server gone": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Kitchen           │ │⊘ Snapserver weg│
    │Snapserver ist weg  │ │Suche ihn       │
    │Suche ihn           │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "as a room, no snapserver": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Bakelite          │ │Kein Snapserver │
    │Kein Snapserver     │ │Einst. prüfen   │
    │Einstellung prüfen  │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "as a room, client gone": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Bakelite          │ │! Snapclient weg│
    │Snapclient ist weg  │ │Warte darauf    │
    │Warte darauf        │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
  ]
}
