import Foundation
import Testing

/// The functions in object files with their references, from objdump's listing. References come from relocations and
/// from the symbol names that objdump prints after addresses. The parser therefore hardly depends on the instruction
/// set.
struct ObjectCode {
  struct Function {
    /// Names of referenced functions and data.
    var references: Set<String> = []
    /// Number of calls through a pointer.
    var indirectCallCount = 0
    /// Number of jumps through a pointer, such as the jump tables of switches.
    var indirectJumpCount = 0
    /// Number of instructions that order a load after earlier stores.
    var fenceCount = 0
    /// The first source line; requires debugging information.
    var sourceLocation: (path: String, line: Int)?
  }

  private(set) var functions: [String: Function] = [:]

  /// Reads object files. `places`: also reads `Function.place`.
  init(_ objects: [String], places: Bool = false) throws {
    let tool = try #require(Tool.disassembler, "objdump is in PATH")
    let answer = try tool.run(["-d", "-r", "--no-show-raw-insn"] + (places ? ["-l"] : []) + objects)
    try #require(answer.status == 0, "\(answer.text)")
    self.init(listing: answer.text)
  }

  /// Reads the output of objdump.
  init(listing: String) {
    var reader = ListingReader()
    for line in listing.utf8.split(separator: UInt8(ascii: "\n")) { reader.read(Substring(line)) }
    functions = reader.finish()
  }

  func named(_ word: String) -> [String] { functions.keys.filter { $0.contains(word) }.sorted() }

  /// Returns all symbols reachable from some functions.
  func reachableSymbols(from entries: [String]) -> Reach {
    var reach = Reach()
    var next = entries[...]
    for entry in entries { reach.functions[entry] = .some(nil) }
    while let caller = next.popFirst() {
      for name in functions[caller]?.references.sorted() ?? [] {
        if functions[name] == nil {
          if reach.externals[name] == nil { reach.externals[name] = caller }
        } else if reach.functions[name] == nil {
          reach.functions[name] = caller
          next.append(name)
        }
      }
    }
    return reach
  }
}

/// Reachable symbols, each with the function that referenced it first.
struct Reach {
  /// Functions in the objects; nil for an entry.
  var functions: [String: String?] = [:]
  /// Symbols outside the objects.
  var externals: [String: String] = [:]

  /// Returns the call path to a symbol as readable text.
  func path(to name: String) -> String {
    var names = [name]
    var caller = externals[name] ?? functions[name] ?? nil
    while let known = caller {
      names.append(known)
      caller = functions[known] ?? nil
    }
    return names.reversed().map(demangled).joined(separator: " → ")
  }
}

/// Demangles a Swift symbol. C symbols stay unchanged.
func demangled(_ symbol: String) -> String {
  typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?
  guard let address = dlsym(nil, "swift_demangle"),
    let text = unsafeBitCast(address, to: Demangle.self)(symbol, symbol.utf8.count, nil, nil, 0)
  else { return symbol }
  defer { free(text) }
  return String(cString: text)
}

/// Parses the listing of GNU's or LLVM's objdump, line by line.
private struct ListingReader {
  private struct Section: Hashable {
    var file: Int
    var name: Substring
  }

  private var functions: [String: ObjectCode.Function] = [:]
  private var starts: [Section: [(offset: Int, name: String)]] = [:]
  /// Relocations to an offset in a section instead of a symbol.
  private var places: [(function: String, section: Section, offset: Int)] = []

  private var section = Section(file: 0, name: "")
  private var name = ""
  private var function = ObjectCode.Function()
  /// The probable reference of the last instruction; a relocation replaces it.
  private var probableReference: String?
  private var isIndirectCall = false
  private var isIndirectJump = false
  private var isLocked = false

  mutating func read(_ line: Substring) {
    guard let first = line.utf8.first else { return }
    if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      if !name.isEmpty { readInside(line) }
    } else if line.hasSuffix(">:"), let open = line.firstIndex(of: "<"),
      let offset = Int(line[..<open].dropLast(), radix: 16)
    {
      begin(String(line[open...].dropFirst().dropLast(2)))
      starts[section, default: []].append((offset, name))
    } else if line.hasPrefix("Disassembly of section ") {
      begin("")
      section.name = line.dropFirst(23).dropLast()
    } else if line.contains("file format ") {
      begin("")
      section.file += 1
    } else if function.sourceLocation == nil, let slash = line.firstIndex(of: "/"), let colon = line.lastIndex(of: ":")
    {
      let number = line[colon...].dropFirst().prefix { $0.isNumber }
      if slash < colon { function.sourceLocation = Int(number).map { (String(line[slash..<colon]), $0) } }
    }
  }

  private mutating func begin(_ next: String) {
    countInstruction()
    // Functions with the same name in several files are merged.
    if !name.isEmpty { functions[name] = function }
    name = next
    function = functions[next] ?? ObjectCode.Function()
  }

  /// Reads an instruction, or a relocation of the previous instruction.
  private mutating func readInside(_ line: Substring) {
    let isRelocation = line.contains("R_")
    let words = line.split(maxSplits: isRelocation ? 3 : 2, whereSeparator: \.isWhitespace)
    guard words.count > 1 else { return }
    if words.count > 2, words[1].hasPrefix("R_") {
      (probableReference, isIndirectCall, isIndirectJump) = (nil, false, false)
      relocate(kind: words[1], target: words[2])
      return
    }
    countInstruction()
    let operands = words.dropFirst(2).first?.drop(while: \.isWhitespace) ?? ""
    // A fence on x86-64 is mfence, or a locked instruction that changes nothing on the stack; on arm64 dmb. LLVM's
    // objdump prints "lock" on its own line.
    let isOr = isLocked && words[1].hasPrefix("or") || words[1] == "lock" && operands.hasPrefix("or")
    isLocked = words[1] == "lock" && operands.isEmpty
    let isFence = words[1] == "mfence" || words[1] == "dmb" || isOr && operands.hasSuffix("(%rsp)")
    function.fenceCount += isFence ? 1 : 0
    isIndirectCall = words[1].hasPrefix("call") && operands.hasPrefix("*") || words[1].hasPrefix("blr")
    isIndirectJump = words[1].hasPrefix("jmp") && operands.hasPrefix("*") || words[1] == "br"
    guard let open = operands.firstIndex(of: "<"), operands.hasSuffix(">") else { return }
    let inside = operands[open...].dropFirst().dropLast()
    probableReference = String(Self.split(inside).name)
  }

  /// Counts the last instruction.
  private mutating func countInstruction() {
    if let probableReference, probableReference != name { function.references.insert(probableReference) }
    function.indirectCallCount += isIndirectCall ? 1 : 0
    function.indirectJumpCount += isIndirectJump ? 1 : 0
    (probableReference, isIndirectCall, isIndirectJump) = (nil, false, false)
  }

  private mutating func relocate(kind: Substring, target: Substring) {
    let (symbol, addend) = Self.split(target)
    if symbol.hasPrefix(".text") {
      // On x86-64, relative addresses refer to the instruction's end, four bytes later.
      let offset = addend + (kind.hasPrefix("R_X86_64_P") ? 4 : 0)
      places.append((name, Section(file: section.file, name: symbol), offset))
    } else {
      function.references.insert(String(symbol))
    }
  }

  /// Splits a symbol and its offset.
  private static func split(_ text: Substring) -> (name: Substring, offset: Int) {
    guard let zero = text.range(of: "0x", options: .backwards), zero.lowerBound > text.startIndex,
      let offset = Int(text[zero.upperBound...], radix: 16)
    else { return (text, 0) }
    let sign = text.index(before: zero.lowerBound)
    switch text[sign] {
    case "+": return (text[..<sign], offset)
    case "-": return (text[..<sign], -offset)
    default: return (text, 0)
    }
  }

  /// Returns all functions after the last line.
  mutating func finish() -> [String: ObjectCode.Function] {
    begin("")
    for (function, section, offset) in places {
      let found = starts[section]?.last { $0.offset <= offset }?.name
      if found != function { functions[function]?.references.insert(found ?? String(section.name)) }
    }
    return functions
  }
}
