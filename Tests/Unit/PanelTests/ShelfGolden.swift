/// Expected recordings in the menu, in 20×4 and 16×2.
extension Golden {
  static let englishShelf: [String: String] = [
    "recordings": """
    ┌────────────────────┐ ┌────────────────┐
    │→FIP 2026-11-28     │ │→FIP 2026-11-28 │
    │ Nina Simone - I Wis│ │ Nina Simone - I│
    │ 01 Björk           │ └────────────────┘
    │ 4                  │
    └────────────────────┘
    """,
    "recordings, the end": """
    ┌────────────────────┐ ┌────────────────┐
    │ Nina Simone - I Wis│ │ 4              │
    │ 01 Björk           │ │→Back           │
    │ 4                  │ └────────────────┘
    │→Back               │
    └────────────────────┘
    """,
    "recordings, deleting": """
    ┌────────────────────┐ ┌────────────────┐
    │Nina Simone - I Wish│ │Nina Simone - I │
    │                    │ │→Delete?    [no]│
    │                    │ └────────────────┘
    │→Delete?        [no]│
    └────────────────────┘
    """,
    "recordings, sure": """
    ┌────────────────────┐ ┌────────────────┐
    │FIP 2026-11-28      │ │FIP 2026-11-28  │
    │                    │ │→Delete?   [yes]│
    │                    │ └────────────────┘
    │→Delete?       [yes]│
    └────────────────────┘
    """,
    "recordings, reading": """
    ┌────────────────────┐ ┌────────────────┐
    │Reading the disk    │ │Reading the disk│
    │                    │ │One moment      │
    │One moment          │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, slow": """
    ┌────────────────────┐ ┌────────────────┐
    │The disk is slow    │ │The disk is slow│
    │                    │ │Still reading it│
    │Still reading it    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, no folder": """
    ┌────────────────────┐ ┌────────────────┐
    │No recordings       │ │No recordings   │
    │                    │ │No folder yet   │
    │There is no folder  │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, unreadable": """
    ┌────────────────────┐ ┌────────────────┐
    │Folder unreadable   │ │Unreadable      │
    │                    │ │Check the disk  │
    │Check the disk      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, empty": """
    ┌────────────────────┐ ┌────────────────┐
    │No recordings       │ │No recordings   │
    │                    │ │Nothing yet     │
    │Nothing recorded yet│ └────────────────┘
    │                    │
    └────────────────────┘
    """,
  ]

  static let germanShelf: [String: String] = [
    "recordings": """
    ┌────────────────────┐ ┌────────────────┐
    │→FIP 2026-11-28     │ │→FIP 2026-11-28 │
    │ Nina Simone - I Wis│ │ Nina Simone - I│
    │ 01 Björk           │ └────────────────┘
    │ 4                  │
    └────────────────────┘
    """,
    "recordings, the end": """
    ┌────────────────────┐ ┌────────────────┐
    │ Nina Simone - I Wis│ │ 4              │
    │ 01 Björk           │ │→Zurück         │
    │ 4                  │ └────────────────┘
    │→Zurück             │
    └────────────────────┘
    """,
    "recordings, deleting": """
    ┌────────────────────┐ ┌────────────────┐
    │Nina Simone - I Wish│ │Nina Simone - I │
    │                    │ │→Löschen? [nein]│
    │                    │ └────────────────┘
    │→Löschen?     [nein]│
    └────────────────────┘
    """,
    "recordings, sure": """
    ┌────────────────────┐ ┌────────────────┐
    │FIP 2026-11-28      │ │FIP 2026-11-28  │
    │                    │ │→Löschen?   [ja]│
    │                    │ └────────────────┘
    │→Löschen?       [ja]│
    └────────────────────┘
    """,
    "recordings, reading": """
    ┌────────────────────┐ ┌────────────────┐
    │Lese Aufnahmen      │ │Lese Aufnahmen  │
    │                    │ │Einen Moment    │
    │Einen Moment        │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, slow": """
    ┌────────────────────┐ ┌────────────────┐
    │Speicher ist langsam│ │Langsam         │
    │                    │ │Lese noch immer │
    │Lese noch immer     │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, no folder": """
    ┌────────────────────┐ ┌────────────────┐
    │Keine Aufnahmen     │ │Keine Aufnahmen │
    │                    │ │Noch kein Ordner│
    │Noch kein Ordner    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, unreadable": """
    ┌────────────────────┐ ┌────────────────┐
    │Ordner nicht lesbar │ │Nicht lesbar    │
    │                    │ │Speicher prüfen │
    │Speicher prüfen     │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "recordings, empty": """
    ┌────────────────────┐ ┌────────────────┐
    │Keine Aufnahmen     │ │Keine Aufnahmen │
    │                    │ │Noch nichts da  │
    │Noch nichts da      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
  ]
}
