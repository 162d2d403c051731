internal import JSONValue
internal import Requests

/// Where in a file's page the values of its requests come from.
struct PageSources {
  /// A value that went into a request.
  struct Value {
    let step: String
    /// Of the step's place in the page; nil: it is not there.
    let anchor: String?
    let path: String
    let part: String
    /// The value itself, if it is known and short.
    let text: String?
  }

  private let steps: [ReportLine]
  private let firstAnchor: Int
  /// The step that each value of a step is from.
  private var flows: [[(from: Int?, flow: JSON)]] = []

  /// - Parameter firstAnchor: the number of the first step in the page.
  init(_ steps: [ReportLine], firstAnchor: Int) {
    self.steps = steps
    self.firstAnchor = firstAnchor
    var latest: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      flows.append((step["flows"]?.array ?? []).map { flow in (latest[flow["from"]?.string ?? ""], flow) })
      if let label = step["label"]?.string { latest[label] = index }
      if let number = step["number"]?.int { latest["\(number)"] = index }
    }
  }

  var nodes: [PageGraph.Node] {
    guard flows.contains(where: { !$0.isEmpty }) else { return [] }
    return steps.enumerated().map { index, step in
      PageGraph.Node(
        name: step.shownName, anchor: anchor(index), mark: step.verdict.isFailure ? "✗" : "✓",
        isFailed: step.verdict.isFailure, lock: lock(of: step),
        withheld: (step["withheld"]?.array ?? []).compactMap(\.string),
        flows: flows[index].compactMap { from, flow in
          from.map { ($0, "\(Self.path(flow)) → \(flow["into"]?.string ?? "")") }
        })
    }
  }

  /// The origin that a credential went to.
  private func lock(of step: ReportLine) -> String? {
    let headers = step["request"]?["headers"]?.array ?? []
    guard headers.contains(where: { SensitiveName.isCredential($0[0]?.string ?? "") }) else { return nil }
    return step["url"]?.string?.originText
  }

  private func anchor(_ index: Int) -> String { "s\(firstAnchor + index)" }

  private static func path(_ flow: JSON) -> String {
    let path = flow["value"]?.string ?? ""
    return path.hasPrefix(".") ? String(path.dropFirst()) : path
  }

  /// What went into a step. Of one that failed, with the values themselves.
  func values(of index: Int) -> [Value] {
    let showsText = steps[index].verdict.isFailure
    return flows[index].map { from, flow in
      Value(
        step: flow["from"]?.string ?? "", anchor: from.map(anchor), path: Self.path(flow),
        part: flow["into"]?.string ?? "", text: showsText ? from.flatMap { text(Self.path(flow), of: steps[$0]) } : nil)
    }
  }

  /// The value at a path of names and indices, which is what most are.
  private func text(_ path: String, of step: ReportLine) -> String? {
    guard path.hasPrefix("body"), let body = step["body"] else { return nil }
    var value = body
    if case .string(let text) = body, let parsed = try? JSON(parsing: text) { value = parsed }
    let names = path.dropFirst(4).split { ".[]".contains($0) }
    for name in names {
      let key = String(name).filter { $0 != "\"" }
      let next =
        Int(key).flatMap { index in value.array.flatMap { $0.indices.contains(index) ? $0[index] : nil } } ?? value[key]
      guard let next else { return "missing" }
      value = next
    }
    return CutText.cut(value.description, to: 80)
  }
}
