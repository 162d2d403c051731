internal import JSONValue

/// Writes the path of a reference: `.name`, `["odd name"]`, `[0]`.
package enum ReferencePath {
  package static func member(_ name: String) -> String {
    let isPlain =
      name.first.map { $0.isLetter || $0 == "_" } ?? false
      && name.last != "-" && !name.contains("--")
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    return isPlain ? ".\(name)" : bracketed(name)
  }

  package static func bracketed(_ name: String) -> String {
    "[\(JSON.string(name))]"
  }

  package static func index(_ index: Int) -> String { "[\(index)]" }
}
