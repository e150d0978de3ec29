import Foundation
import TestSupport
import Testing

@testable import Web

/// config/web/openapi.json agrees with the table of the API (W4).
@Suite struct DocumentTests {
  private static var document: [String: Any] {
    let data = Data(Repository.bytes("config/web/openapi.json"))
    return (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:]
  }
  private static var paths: [String: [String: Any]] { document["paths"] as? [String: [String: Any]] ?? [:] }

  @Test("Each operation of the table is in the document, and no other (W4)")
  func operations() {
    let told = Self.paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
    #expect(Set(told) == Set(ApiTable.rows.map { "\($0.method.rawValue) \($0.path)" }))
    #expect(told.count == ApiTable.rows.count)
    let names = Self.paths.values.flatMap(\.values).compactMap { ($0 as? [String: Any])?["operationId"] as? String }
    #expect(Set(names).count == told.count)
  }

  @Test("The document's keys, ranges and required values equal the table's", arguments: ApiTable.rows.indices)
  func keys(_ index: Int) throws {
    let row = ApiTable.rows[index]
    let operation = try #require(Self.paths[row.path]?[row.method.rawValue.lowercased()] as? [String: Any])
    #expect((operation["security"] as? [Any])?.isEmpty == (row.access == .open ? true : nil), "\(row.path)")
    let parameters = operation["parameters"] as? [[String: Any]] ?? []
    let asksForToken = parameters.contains { $0["$ref"] as? String == "#/components/parameters/Token" }
    #expect(asksForToken == (row.method.isWrite && row.access == .session), "\(row.path)")
    let query = parameters.filter { $0["in"] as? String == "query" }
    #expect(Set(query.compactMap { $0["name"] as? String }) == Set(row.query.map(\.name)))
    for key in row.query {
      let told = try #require(query.first { $0["name"] as? String == key.name })
      #expect((told["required"] as? Bool ?? false) == key.isNeeded)
      Self.compare(key, told["schema"] as? [String: Any])
    }
    let body = operation["requestBody"] as? [String: Any]
    #expect((body == nil) == (row.body.isEmpty && !row.allowsAny), "\(row.path)")
    guard let body else { return }
    let content = body["content"] as? [String: [String: Any]]
    let schema = try #require(content?["application/json"]?["schema"] as? [String: Any])
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    #expect(Set(properties.keys) == Set(row.body.map(\.name)), "\(row.path)")
    #expect(Set(schema["required"] as? [String] ?? []) == Set(row.body.filter(\.isNeeded).map(\.name)))
    #expect((schema["additionalProperties"] as? Bool == false) == !row.allowsAny)
    for key in row.body { Self.compare(key, properties[key.name]) }
  }

  private static func compare(_ key: ApiKey, _ schema: [String: Any]?) {
    let type = schema?["type"] as? String
    let range = [schema?["minimum"], schema?["maximum"]].map { ($0 as? NSNumber)?.doubleValue }
    switch key.kind {
    case .text(let most): #expect(type == "string" && schema?["maxLength"] as? Int == most, "\(key.name)")
    case .number(let numbers):
      #expect(type == "number" && range == [numbers.lowerBound, numbers.upperBound], "\(key.name)")
    case .whole(let numbers):
      #expect(type == "integer" && range == [Double(numbers.lowerBound), Double(numbers.upperBound)], "\(key.name)")
    case .flag: #expect(type == "boolean", "\(key.name)")
    case .word(let words): #expect(schema?["enum"] as? [String] == words, "\(key.name)")
    case .station, .any: #expect((schema?["oneOf"] as? [Any])?.isEmpty == false, "\(key.name)")
    }
  }

  @Test("The document's references exist")
  func references() throws {
    func look(_ value: Any) -> [String] {
      if let object = value as? [String: Any] {
        return object.flatMap { $0 == "$ref" ? [$1 as? String ?? ""] : look($1) }
      }
      return (value as? [Any])?.flatMap(look) ?? []
    }
    let references = Set(look(Self.document))
    #expect(references.count > 5)
    for reference in references {
      let place = reference.split(separator: "/").dropFirst().reduce(Self.document as Any?) {
        ($0 as? [String: Any])?[String($1)]
      }
      #expect(place != nil, "\(reference)")
    }
  }
}
