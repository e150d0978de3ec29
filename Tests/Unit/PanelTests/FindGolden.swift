/// Expected lists of the station directory, in 20×4 and 16×2.
extension Golden {
  static let englishFind: [String: String] = [
    "find": """
    ┌────────────────────┐ ┌────────────────┐
    │Find stations       │ │→Popular        │
    │ Near me            │ │ Genres         │
    │→Popular            │ └────────────────┘
    │ Genres             │
    └────────────────────┘
    """,
    "find, near me": """
    ┌────────────────────┐ ┌────────────────┐
    │Near me          2/7│ │→Bayern 3       │
    │ Deutschlandfunk   ▶│ │ Radio Bremen Ei│
    │→Bayern 3           │ └────────────────┘
    │ Radio Bremen Eins i│
    └────────────────────┘
    """,
    "find, the end": """
    ┌────────────────────┐ ┌────────────────┐
    │Popular          7/7│ │→Gone FM       x│
    │ Kitchen FM         │ │ Back           │
    │→Gone FM           x│ └────────────────┘
    │ Back               │
    └────────────────────┘
    """,
    "find, no country": """
    ┌────────────────────┐ ┌────────────────┐
    │Which country?   1/3│ │→Austria     512│
    │→Austria         512│ │ Germany    5034│
    │ Germany        5034│ └────────────────┘
    │ United Kingdom 2010│
    └────────────────────┘
    """,
    "find, genres": """
    ┌────────────────────┐ ┌────────────────┐
    │Genres           3/4│ │→classical an 98│
    │ jazz            711│ │ ?             3│
    │→classical and ea 98│ └────────────────┘
    │ ?                 3│
    └────────────────────┘
    """,
    "find, countries": """
    ┌────────────────────┐ ┌────────────────┐
    │Countries        2/3│ │→Germany    5034│
    │ Austria         512│ │ United Kin 2010│
    │→Germany        5034│ └────────────────┘
    │ United Kingdom 2010│
    └────────────────────┘
    """,
    "find, letters": """
    ┌────────────────────┐ ┌────────────────┐
    │Letters          3/4│ │→R          9000│
    │ A              2100│ │ S             3│
    │→R              9000│ └────────────────┘
    │ S                 3│
    └────────────────────┘
    """,
    "find, more letters": """
    ┌────────────────────┐ ┌────────────────┐
    │RA               1/3│ │→All names  9000│
    │→All names      9000│ │ RA_          25│
    │ RA_              25│ └────────────────┘
    │ RAD            6000│
    └────────────────────┘
    """,
    "find, opening": """
    ┌────────────────────┐ ┌────────────────┐
    │Reading directory   │ │Reading         │
    │                    │ │One moment      │
    │One moment          │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, no directory": """
    ┌────────────────────┐ ┌────────────────┐
    │No directory yet    │ │No directory yet│
    │                    │ │Press: download │
    │Press to download   │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, by hand": """
    ┌────────────────────┐ ┌────────────────┐
    │No directory yet    │ │No directory yet│
    │                    │ │sudo bakelite fi│
    │sudo bakelite find  │ └────────────────┘
    │--update            │
    └────────────────────┘
    """,
    "find, fetching": """
    ┌────────────────────┐ ┌────────────────┐
    │Downloading stations│ │Downloading     │
    │                    │ │12345 stations  │
    │12345 stations      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, damaged": """
    ┌────────────────────┐ ┌────────────────┐
    │Directory is damaged│ │Directory broken│
    │                    │ │Press: download │
    │Press to download   │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, kept": """
    ┌────────────────────┐ ┌────────────────┐
    │                    │ │Preset 13: Bayer│
    │Preset 13: Bayern 3 │ │                │
    │                    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
  ]

  static let germanFind: [String: String] = [
    "find": """
    ┌────────────────────┐ ┌────────────────┐
    │Sender suchen       │ │→Beliebt        │
    │ In der Nähe        │ │ Genres         │
    │→Beliebt            │ └────────────────┘
    │ Genres             │
    └────────────────────┘
    """,
    "find, near me": """
    ┌────────────────────┐ ┌────────────────┐
    │In der Nähe      2/7│ │→Bayern 3       │
    │ Deutschlandfunk   ▶│ │ Radio Bremen Ei│
    │→Bayern 3           │ └────────────────┘
    │ Radio Bremen Eins i│
    └────────────────────┘
    """,
    "find, the end": """
    ┌────────────────────┐ ┌────────────────┐
    │Beliebt          7/7│ │→Gone FM       x│
    │ Kitchen FM         │ │ Zurück         │
    │→Gone FM           x│ └────────────────┘
    │ Zurück             │
    └────────────────────┘
    """,
    "find, no country": """
    ┌────────────────────┐ ┌────────────────┐
    │Welches Land?    1/3│ │→Austria     512│
    │→Austria         512│ │ Germany    5034│
    │ Germany        5034│ └────────────────┘
    │ United Kingdom 2010│
    └────────────────────┘
    """,
    "find, genres": """
    ┌────────────────────┐ ┌────────────────┐
    │Genres           3/4│ │→classical an 98│
    │ jazz            711│ │ ?             3│
    │→classical and ea 98│ └────────────────┘
    │ ?                 3│
    └────────────────────┘
    """,
    "find, countries": """
    ┌────────────────────┐ ┌────────────────┐
    │Länder           2/3│ │→Germany    5034│
    │ Austria         512│ │ United Kin 2010│
    │→Germany        5034│ └────────────────┘
    │ United Kingdom 2010│
    └────────────────────┘
    """,
    "find, letters": """
    ┌────────────────────┐ ┌────────────────┐
    │Buchstaben       3/4│ │→R          9000│
    │ A              2100│ │ S             3│
    │→R              9000│ └────────────────┘
    │ S                 3│
    └────────────────────┘
    """,
    "find, more letters": """
    ┌────────────────────┐ ┌────────────────┐
    │RA               1/3│ │→Alle Namen 9000│
    │→Alle Namen     9000│ │ RA_          25│
    │ RA_              25│ └────────────────┘
    │ RAD            6000│
    └────────────────────┘
    """,
    "find, opening": """
    ┌────────────────────┐ ┌────────────────┐
    │Lese Verzeichnis    │ │Lese Verzeichnis│
    │                    │ │Einen Moment    │
    │Einen Moment        │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, no directory": """
    ┌────────────────────┐ ┌────────────────┐
    │Kein Verzeichnis    │ │Kein Verzeichnis│
    │                    │ │Drücken lädt es │
    │Drücken lädt es     │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, by hand": """
    ┌────────────────────┐ ┌────────────────┐
    │Kein Verzeichnis    │ │Kein Verzeichnis│
    │                    │ │sudo bakelite fi│
    │sudo bakelite find  │ └────────────────┘
    │--update            │
    └────────────────────┘
    """,
    "find, fetching": """
    ┌────────────────────┐ ┌────────────────┐
    │Lade Senderliste    │ │Lade Senderliste│
    │                    │ │12345 Sender    │
    │12345 Sender        │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, damaged": """
    ┌────────────────────┐ ┌────────────────┐
    │Verzeichnis defekt  │ │Liste defekt    │
    │                    │ │Drücken: laden  │
    │Drücken: laden      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "find, kept": """
    ┌────────────────────┐ ┌────────────────┐
    │                    │ │Favorit 13: Baye│
    │Favorit 13: Bayern 3│ │                │
    │                    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
  ]
}
