import Foundation

/// What is public in a module of the library according to the compiler: its symbol graph, the source of DocC.
struct PublicInterface: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable {
      let identifier: String
    }

    struct Documentation: Decodable {}

    struct Fragment: Decodable {
      let spelling: String
      /// Identifies what the fragment refers to: `s:` and a mangled name for Swift, `c:` for C.
      let preciseIdentifier: String?
    }

    let kind: Kind
    let pathComponents: [String]
    let docComment: Documentation?
    let declarationFragments: [Fragment]

    var name: String { pathComponents.joined(separator: ".") }
    var declaration: String { declarationFragments.map(\.spelling).joined() }

    /// Its parameters, by their names in the declaration: `init(_ text: String, name: String)`.
    var parameters: [String] {
      declaration.matches(of: /[(,] *(?:\w+ )?(\w+):/).map { String($0.output.1) }
    }
  }

  let symbols: [Symbol]

  /// Those without documentation. An initializer that takes the type's properties and nothing else needs none.
  var undocumented: [String] {
    let properties = Set(symbols.filter { $0.kind.identifier == "swift.property" }.map(\.pathComponents))
    return symbols.filter { symbol in
      guard symbol.docComment == nil else { return false }
      let type = symbol.pathComponents.dropLast()
      let isMemberwise =
        symbol.kind.identifier == "swift.init" && !symbol.parameters.isEmpty
        && symbol.parameters.allSatisfy { properties.contains(type + [$0]) }
      return !isMemberwise
    }.map { "\($0.name): \($0.declaration)" }
  }

  /// The declarations that refer to anything except the standard library and these modules, each with what that is.
  func foreign(except modules: Set<String>) -> [String] {
    symbols.flatMap { symbol in
      symbol.declarationFragments.compactMap { fragment in
        guard let identifier = fragment.preciseIdentifier, !Self.isSwift(identifier) else { return nil }
        if let module = Self.module(of: identifier), modules.contains(module) { return nil }
        return "\(symbol.name) refers to \(fragment.spelling), \(identifier)"
      }
    }
  }

  /// In a mangled name the standard library and its concurrency are letters, other modules a length and a name.
  private static func isSwift(_ identifier: String) -> Bool {
    identifier.hasPrefix("s:") && identifier.dropFirst(2).first?.isNumber == false
  }

  private static func module(of identifier: String) -> String? {
    guard identifier.hasPrefix("s:") else { return nil }
    let digits = identifier.dropFirst(2).prefix { $0.isNumber }
    return Int(digits).map { String(identifier.dropFirst(2 + digits.count).prefix($0)) }
  }
}
