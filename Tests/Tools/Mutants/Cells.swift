import Foundation
import SwiftParser
import SwiftSyntax

// Creates the mutants for Tests/Tools/Mutants/run. `cells OMITTED IN OUT [IN OUT …]` copies each file and adds a switch
// at each cell, which disables the cell. Line numbers stay the same. For each cell the program prints: number, file,
// line, function, first and last line of the function, change. OMITTED: comma-separated numbers of cells that do not
// compile.

/// The function around a cell.
struct Context {
  let name: String
  /// The return type; nil without a return value.
  let type: TypeSyntax?
  /// The lines of the function.
  let lines: ClosedRange<Int>
}

/// Finds the cells in a file: branches, statements, return values, and elements of action lists.
final class CellFinder: SyntaxVisitor {
  private let file: String
  private let converter: SourceLocationConverter
  private let omitted: Set<Int>
  private let enums: [String: [String]]
  /// Properties that an initializer must set.
  private let required: Set<String>
  /// Inserted texts. At equal offsets an end precedes a start, and inner ends precede outer ends.
  private var edits: [(offset: Int, order: Int, text: String)] = []
  private(set) var number: Int
  private(set) var told: [String] = []

  init(_ tree: SourceFileSyntax, file: String, from number: Int, omitted: Set<Int>) {
    (self.file, self.number, self.omitted) = (file, number, omitted)
    converter = SourceLocationConverter(fileName: file, tree: tree)
    let names = NameFinder(viewMode: .sourceAccurate)
    names.walk(tree)
    (enums, required) = (names.plainCases, names.required)
    super.init(viewMode: .sourceAccurate)
  }

  /// Returns the file with the switches.
  func written(_ source: String) -> String {
    var bytes = Array(source.utf8)
    for edit in edits.sorted(by: { ($0.offset, $0.order) > ($1.offset, $1.order) }) {
      bytes.insert(contentsOf: Array(edit.text.utf8), at: edit.offset)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Functions

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let body = node.body else { return .skipChildren }
    scan(body.statements, context(node, node.name.text, node.signature.returnClause?.type))
    return .skipChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    if let body = node.body { each(body.statements, context(node, "init", nil)) }
    return .skipChildren
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    let name = node.pattern.trimmedDescription
    switch node.accessorBlock?.accessors {
    case .getter(let items): scan(items, context(node, name, node.typeAnnotation?.type))
    case .accessors(let list):
      for accessor in list {
        let isGetter = accessor.accessorSpecifier.text == "get"
        if let body = accessor.body {
          scan(body.statements, context(node, name, isGetter ? node.typeAnnotation?.type : nil))
        }
      }
    default: break
    }
    return .skipChildren
  }

  private func context(_ node: some SyntaxProtocol, _ name: String, _ type: TypeSyntax?) -> Context {
    let first = line(node)
    return Context(name: name, type: type, lines: first...max(first, lastLine(node)))
  }

  private func scan(_ items: CodeBlockItemListSyntax, _ context: Context) {
    if context.type != nil, items.count == 1, let only = items.first, let value = expression(only) {
      given(value, context)
    } else {
      block(items, context, isBranch: false)
    }
  }

  // MARK: Values

  /// Adds cells for an implicitly returned expression.
  private func given(_ value: ExprSyntax, _ context: Context) {
    if let choice = value.as(SwitchExprSyntax.self) {
      for branch in cases(choice) { givenBranch(branch.statements, context) }
    } else if let choice = value.as(IfExprSyntax.self) {
      givenBranch(choice.body.statements, context)
      switch choice.elseBody {
      case .codeBlock(let other): givenBranch(other.statements, context)
      case .ifExpr(let other): given(ExprSyntax(other), context)
      default: break
      }
    } else {
      let nothing = nothing(context, insteadOf: value)
      if let nothing {
        let number = cell(value, context, "\(short(value)) → \(nothing)")
        insert("mutantKeeps(\(number)) ? (", ") : \(nothing)", around: value, number)
      }
      lists(in: value, context, isGiven: nothing != nil)
    }
  }

  private func cases(_ choice: SwitchExprSyntax) -> [SwitchCaseSyntax] {
    choice.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
  }

  private func givenBranch(_ items: CodeBlockItemListSyntax, _ context: Context) {
    if items.count == 1, let only = items.first, let value = expression(only) {
      given(value, context)
    } else {
      block(items, context, isBranch: true)
    }
  }

  /// Adds a cell for each element of action lists.
  private func lists(in value: some SyntaxProtocol, _ context: Context, isGiven: Bool = false) {
    let finder = ListFinder(viewMode: .sourceAccurate)
    finder.walk(value)
    for list in finder.lists {
      if isGiven, list.elements.count == 1, list.trimmedLength == value.trimmedLength { continue }
      let first = number
      for element in list.elements { _ = cell(element, context, "\(short(element.expression)) left out of a list") }
      let isOmitted = (first..<number).contains { omitted.contains($0) }
      if !isOmitted { insert("mutantCut(\(first), ", ")", around: list, nil) }
    }
  }

  /// Returns the replacement for a return value: an empty value, or another case if there is no empty value. Returns
  /// nil if the value is already empty, or if the type is unknown.
  private func nothing(_ context: Context, insteadOf value: ExprSyntax) -> String? {
    guard let type = context.type else { return nil }
    let basic = [
      "Bool": "false", "Int": "0", "UInt32": "0", "Double": "0", "String": "\"\"", "MonotonicTime": ".zero",
      "StreamTime": ".zero", "Duration": ".zero", "RadioState": ".stopped",
    ]
    let text = value.trimmedDescription
    let name = type.trimmedDescription
    var words: [String] = []
    if type.is(OptionalTypeSyntax.self) {
      words = ["nil"]
    } else if type.is(ArrayTypeSyntax.self) {
      words = ["[]"]
    } else if let word = basic[name] {
      words = [word]
    } else if let cases = enums[name.split(separator: ".").last.map(String.init) ?? name] {
      words = cases.contains("nothing") ? [".nothing"] : cases.map { ".\($0)" }.filter { $0 != text }
    }
    return words.first.flatMap { $0 == text ? nil : $0 }
  }

  // MARK: Statements

  /// Adds cells for the statements in a function or branch, and a cell for all statements together.
  private func block(_ items: CodeBlockItemListSyntax, _ context: Context, isBranch: Bool) {
    if items.count > 1, let first = items.first, let last = items.last, !isAlone(items, context) {
      var leaving = isBranch ? "break" : context.type == nil ? "return" : nil
      if let end = last.item.as(ReturnStmtSyntax.self) {
        leaving = end.expression == nil ? "return" : nothing(context).map { "return \($0)" }
      }
      if let leaving {
        let number = cell(first, context, isBranch ? "the whole branch" : "the whole function")
        insert("if mutantDrops(\(number)) { \(leaving) }; ", "", around: first, number)
      }
    }
    each(items, context)
  }

  /// True if the second of two statements only returns an empty value.
  private func isAlone(_ items: CodeBlockItemListSyntax, _ context: Context) -> Bool {
    guard items.count == 2, let first = items.first, expression(first) != nil else { return false }
    guard let end = items.last?.item.as(ReturnStmtSyntax.self), let value = end.expression else { return false }
    return nothing(context, insteadOf: value) == nil
  }

  private func nothing(_ context: Context) -> String? {
    nothing(context, insteadOf: ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier("anything"))))
  }

  private func each(_ items: CodeBlockItemListSyntax, _ context: Context) {
    for item in items { statement(item, context, isLast: item.id == items.last?.id) }
  }

  private func statement(_ item: CodeBlockItemSyntax, _ context: Context, isLast: Bool) {
    if let value = expression(item) { return effect(value, item, context, isLast: isLast) }
    let node = item.item
    if let end = node.as(ReturnStmtSyntax.self) {
      if let value = end.expression { returned(value, end, context) }
    } else if let early = node.as(GuardStmtSyntax.self) {
      each(early.body.statements, context)
    } else if let later = node.as(DeferStmtSyntax.self) {
      each(later.body.statements, context)
    } else if let loop = node.as(ForStmtSyntax.self) {
      wrap(item, context)
      each(loop.body.statements, context)
    } else if let loop = node.as(WhileStmtSyntax.self) {
      wrap(item, context)
      each(loop.body.statements, context)
    } else if let names = node.as(VariableDeclSyntax.self) {
      for value in names.bindings.compactMap({ $0.initializer?.value }) { lists(in: value, context) }
    }
  }

  private func returned(_ value: ExprSyntax, _ end: ReturnStmtSyntax, _ context: Context) {
    if value.is(SwitchExprSyntax.self) || value.is(IfExprSyntax.self) { return given(value, context) }
    let nothing = nothing(context, insteadOf: value)
    if let nothing {
      let number = cell(end, context, "return \(short(value)) → \(nothing)")
      insert("if mutantDrops(\(number)) { return \(nothing) }; ", "", around: end, number)
    }
    lists(in: value, context, isGiven: nothing != nil)
  }

  private func effect(_ value: ExprSyntax, _ item: CodeBlockItemSyntax, _ context: Context, isLast: Bool) {
    if let choice = value.as(SwitchExprSyntax.self) {
      for branch in cases(choice) { block(branch.statements, context, isBranch: true) }
    } else if let choice = value.as(IfExprSyntax.self) {
      // A choice in the place of a return value cannot be removed.
      let hasToGive = context.type != nil && isLast && choice.elseBody != nil
      if !hasToGive, !isAlone(choice) { wrap(item, context) }
      branches(choice, context)
    } else {
      if let called = value.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription,
        called == "precondition" || called == "assert"
      {
        return
      }
      // Properties without a default value must keep their first assignment.
      let names = value.as(SequenceExprSyntax.self).map(targets) ?? []
      if context.name != "init" || required.isDisjoint(with: names) { wrap(item, context) }
      if let sequence = value.as(SequenceExprSyntax.self) { components(sequence, context) }
      lists(in: value, context)
    }
  }

  /// Returns the names of the assigned variables.
  private func targets(_ sequence: SequenceExprSyntax) -> [String] {
    guard let target = sequence.elements.first else { return [] }
    let parts = target.as(TupleExprSyntax.self)?.elements.map { ExprSyntax($0.expression) } ?? [target]
    return parts.map { String($0.trimmedDescription.split(separator: ".").last ?? "") }
  }

  /// True if a choice has only one statement, which is a cell itself.
  private func isAlone(_ choice: IfExprSyntax) -> Bool {
    guard choice.elseBody == nil, choice.body.statements.count == 1, let only = choice.body.statements.first else {
      return false
    }
    return expression(only) != nil
  }

  private func branches(_ choice: IfExprSyntax, _ context: Context) {
    each(choice.body.statements, context)
    switch choice.elseBody {
    case .codeBlock(let other): each(other.statements, context)
    case .ifExpr(let other): branches(other, context)
    default: break
    }
  }

  /// Adds cells for the values of a tuple assignment.
  private func components(_ sequence: SequenceExprSyntax, _ context: Context) {
    let parts = Array(sequence.elements)
    guard parts.count == 3, parts[1].is(AssignmentExprSyntax.self), let names = parts[0].as(TupleExprSyntax.self),
      let values = parts[2].as(TupleExprSyntax.self), names.elements.count == values.elements.count
    else { return }
    for (name, value) in zip(names.elements, values.elements) {
      let name = name.expression.trimmedDescription
      if context.name == "init", required.contains(String(name.split(separator: ".").last ?? "")) { continue }
      let number = cell(value, context, "without \(name) = \(short(value.expression))")
      insert("mutantKeeps(\(number)) ? (", ") : \(name)", around: value.expression, number)
    }
  }

  private func wrap(_ item: CodeBlockItemSyntax, _ context: Context) {
    let number = cell(item, context, "without \(short(item.item))")
    insert("if mutantKeeps(\(number)) { ", " }", around: item.item, number)
  }

  // MARK: Cells

  private func cell(_ node: some SyntaxProtocol, _ context: Context, _ change: String) -> Int {
    defer { number += 1 }
    let lines = "\(context.lines.lowerBound)\t\(context.lines.upperBound)"
    told.append("\(number)\t\(file)\t\(line(node))\t\(context.name)\t\(lines)\t\(change)")
    return number
  }

  private func insert(_ before: String, _ after: String, around node: some SyntaxProtocol, _ number: Int?) {
    if let number, omitted.contains(number) { return }
    let order = edits.count + 1
    edits.append((node.positionAfterSkippingLeadingTrivia.utf8Offset, order, before))
    if !after.isEmpty { edits.append((node.endPositionBeforeTrailingTrivia.utf8Offset, -order, after)) }
  }

  private func expression(_ item: CodeBlockItemSyntax) -> ExprSyntax? {
    item.item.as(ExprSyntax.self) ?? item.item.as(ExpressionStmtSyntax.self)?.expression
  }

  private func line(_ node: some SyntaxProtocol) -> Int {
    converter.location(for: node.positionAfterSkippingLeadingTrivia).line
  }

  private func lastLine(_ node: some SyntaxProtocol) -> Int {
    converter.location(for: node.endPositionBeforeTrailingTrivia).line
  }

  private func short(_ node: some SyntaxProtocol) -> String {
    let words = node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 90 ? words.prefix(87) + "..." : words
  }
}

/// Finds the enum cases without associated values, and properties without default values.
final class NameFinder: SyntaxVisitor {
  private(set) var plainCases: [String: [String]] = [:]
  private(set) var required: Set<String> = []

  override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard let names = node.decl.as(VariableDeclSyntax.self) else { return .visitChildren }
    for binding in names.bindings where binding.initializer == nil && binding.accessorBlock == nil {
      let isOptional = binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) ?? false
      if names.bindingSpecifier.text == "let" || !isOptional { required.insert(binding.pattern.trimmedDescription) }
    }
    return .skipChildren
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    let elements = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
    plainCases[node.name.text] = elements.filter { $0.parameterClause == nil }.map(\.name.text)
    return .visitChildren
  }
}

/// Finds array literals in an expression.
final class ListFinder: SyntaxVisitor {
  private(set) var lists: [ArrayExprSyntax] = []

  override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
    // `[Type]()` is an initializer call.
    let isType = node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == node.id
    if !node.elements.isEmpty, !isType { lists.append(node) }
    return .visitChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

var arguments = CommandLine.arguments.dropFirst()
let omitted = Set(arguments.removeFirst().split(separator: ",").compactMap { Int($0) })
var number = 0
while let input = arguments.popFirst(), let output = arguments.popFirst() {
  let source = try String(contentsOfFile: input, encoding: .utf8)
  let tree = Parser.parse(source: source)
  let finder = CellFinder(tree, file: input, from: number, omitted: omitted)
  finder.walk(tree)
  number = finder.number
  for line in finder.told { print(line) }
  let written = finder.written(source)
  if (try? String(contentsOfFile: output, encoding: .utf8)) != written {
    try written.write(toFile: output, atomically: true, encoding: .utf8)
  }
}
