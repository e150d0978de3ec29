import Framing
import RadioEngine

struct DoctorFinding: Equatable {
  enum Verdict: String {
    case ok, problem
    case missing
    /// The check was impossible because of another fault or missing rights.
    case skipped
  }

  let subject: String
  let verdict: Verdict
  let words: String
  var mend: String?
  var details: [String] = []

  static func ok(_ subject: String, _ words: String, details: [String] = []) -> DoctorFinding {
    DoctorFinding(subject: subject, verdict: .ok, words: words, details: details)
  }

  static func problem(_ subject: String, _ words: String, mend: String, details: [String] = []) -> DoctorFinding {
    DoctorFinding(subject: subject, verdict: .problem, words: words, mend: mend, details: details)
  }

  static func missing(_ subject: String, _ words: String, mend: String) -> DoctorFinding {
    DoctorFinding(subject: subject, verdict: .missing, words: words, mend: mend)
  }

  static func forbidden(_ subject: String, _ place: String, _ group: String) -> DoctorFinding {
    .problem(
      subject, "This user may not open \(place).", mend: "sudo usermod -aG \(group) $USER   # then log in again")
  }

  /// A check that needs the network. The finding "network" has the problem.
  static func offline(_ subject: String) -> DoctorFinding { .skipped(subject, "This machine is offline.") }

  static func skipped(_ subject: String, _ words: String) -> DoctorFinding {
    DoctorFinding(subject: subject, verdict: .skipped, words: words)
  }
}

struct DoctorReport {
  var findings: [DoctorFinding]

  var outcome: Outcome {
    if findings.contains(where: { $0.verdict == .missing }) { return .noHardware }
    return findings.contains { $0.verdict == .problem } ? .failed : .done
  }

  var text: String {
    let lines = findings.flatMap { finding in
      [Self.row(finding.verdict.rawValue, finding.subject, finding.words)]
        + finding.details.map { Self.row("", "", $0) } + (finding.mend.map { [Self.row("", "fix:", $0)] } ?? [])
    }
    return lines.joined(separator: "\n")
  }

  var json: String {
    let lines = findings.map { finding in
      var line = JsonLine()
      line.add("check", finding.subject)
      line.add("verdict", finding.verdict.rawValue)
      line.add("message", finding.words)
      line.add("mend", finding.mend)
      if !finding.details.isEmpty { line.add("details", finding.details.joined(separator: "\n")) }
      return line.line
    }
    return lines.joined(separator: "\n")
  }

  private static func row(_ verdict: String, _ subject: String, _ words: String) -> String {
    func column(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    return column(verdict, 9) + column(subject, 13) + DisplayText.line(words)
  }
}
