import Alarms
import Testing
import Units

@testable import Settings

/// The alarms in the owner's file.
struct AlarmListTests {
  private static func read(_ text: String) throws -> OwnerSettings { try OwnerSettings(Array(text.utf8), file: "o") }

  private static let all: [Alarm] = {
    var first = Alarm(minute: 390, .weekly(Weekdays(rawValue: 0x3E)), source: "My \"Station\"")
    (first.volume, first.riseSeconds, first.minutes) = (55, 0, 90)
    first.skipped = CalendarDay(2028, 2, 29)
    var second = Alarm(minute: 0, .once(CalendarDay(2026, 12, 24)), source: "http://a.example/live?token=x")
    (second.isOn, second.restsOnHolidays) = (false, true)
    return [first, second, Alarm(minute: 1_439, .weekly(.everyDay), source: "/music/file.mp3")]
  }()

  @Test("Alarms are the same after they were written and read")
  func roundTrip() throws {
    var settings = OwnerSettings()
    try settings.apply(.alarms(Self.all), over: [])
    let read = try Self.read(settings.text)
    #expect(read.alarms == Self.all && read.alarmProblems.isEmpty && read == settings)
  }

  @Test(
    "A faulty alarm is left out with a sentence, and the others stay",
    arguments: [
      ("time = \"25:00\"\ndays = [\"mon\"]\nstation = \"A\"", "[[alarm]] time must be a time such as"),
      ("time = \"06:30\"\nstation = \"A\"", "[[alarm]] days is missing"),
      ("time = \"06:30\"\ndays = []\nstation = \"A\"", "days is empty"),
      ("time = \"06:30\"\ndays = [\"noday\"]\nstation = \"A\"", "must be sun, mon"),
      ("time = \"06:30\"\ndays = [\"mon\"]", "[[alarm]] station is missing"),
      ("time = \"06:30\"\ndate = \"2026-02-30\"\nstation = \"A\"", "[[alarm]] date must be a date such as"),
      ("time = \"06:30\"\ndays = [\"mon\"]\nstation = \"A\"\nvolume = 101", "[[alarm]] volume must be a whole number"),
      ("time = \"06:30\"\ndays = [\"mon\"]\nstation = \"A\"\nvolumes = 10", "did you mean volume?"),
    ])
  func faults(table: String, sentence: String) throws {
    let good = "[[alarm]]\ntime = \"07:00\"\ndays = [\"sat\"]\nstation = \"B\"\n"
    let settings = try Self.read("[[alarm]]\n\(table)\n\n\(good)")
    #expect(settings.alarms.map(\.source) == ["B"])
    #expect(settings.alarmProblems.contains { $0.description.contains(sentence) }, "\(settings.alarmProblems)")
  }

  @Test("More than a hundred alarms, and values that a file cannot store, are refused")
  func limits() {
    var settings = OwnerSettings()
    let alarm = Self.all[0]
    #expect(throws: SettingsError.self) {
      try settings.apply(.alarms(Array(repeating: alarm, count: 101)), over: [])
    }
    for source in ["", "a\nb", String(repeating: "a", count: 1_001)] {
      #expect(throws: SettingsError.self) {
        try settings.apply(.alarms([Alarm(minute: 1, .weekly(.everyDay), source: source)]), over: [])
      }
    }
    #expect(settings == OwnerSettings())
  }

  @Test("Times and dates of a person are read, and others are refused")
  func words() {
    #expect(["06:30", "6:30", "00:00", "23:59"].map { Alarm.minute($0) } == [390, 390, 0, 1_439])
    for text in ["24:00", "6:3", "0630", "-1:00", "6:60", "06:30:00", "", "٠٦:٣٠"] {
      #expect(Alarm.minute(text) == nil)
    }
    #expect(CalendarDay(iso: "2028-02-29") == CalendarDay(2028, 2, 29))
    for text in ["2027-02-29", "2027-13-01", "2027-1-1", "27-01-01", ""] { #expect(CalendarDay(iso: text) == nil) }
    for number in stride(from: -200_000, to: 200_000, by: 97) where CalendarDay(number: number).year >= 1_000 {
      #expect(CalendarDay(iso: CalendarDay(number: number).iso) == CalendarDay(number: number))
    }
  }
}
