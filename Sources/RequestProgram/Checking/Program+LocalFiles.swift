import RequestSyntax

extension Program {
  /// The files that are read when the steps are performed, as they are written: `file("…")`, and parameters of this
  /// sequence (nil: of none) that are files.
  public func localFiles(running sequence: String?) -> [String] {
    var files: [String] = []
    let nodes = statements.map(\.node) + sequences.sorted { $0.key < $1.key }.map { .sequence($0.value.node) }
    for node in nodes {
      node.forEachExpression { expression in
        guard case .call(let call) = expression, call.name.text == "file" else { return }
        let text = "file(\(call.arguments.first?.value.plainText.map { "\"\($0)\"" } ?? "…"))"
        if !files.contains(text) { files.append(text) }
      }
    }
    for parameter in sequence.flatMap({ sequences[$0] })?.node.parameters ?? [] {
      if parameter.type?.text == ParameterType.file.rawValue { files.append("$\(parameter.name.text)") }
    }
    return files
  }
}
