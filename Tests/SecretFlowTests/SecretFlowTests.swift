import Canaries
import Foundation
import Requests
import SecretFlow
import Testing

/// What is made from a secret, wherever it is and whichever way it goes: it does not reach another origin, a screen, a
/// record or a file.
@Suite struct SecretFlowTests {
  static let cells = Source.allCases.flatMap { source in Way.allCases.map { (source, $0) } }

  struct Flow: CustomStringConvertible {
    var source: Source
    var derivation: Derivation
    var way: Way

    var description: String { "\(source) | \(derivation.pipe), \(way)" }
  }

  /// Each way together with each source and with each function; all three together take eight minutes, and are run if
  /// `ALL_SECRET_FLOWS` is set (`Scripts/long secrets`).
  static let flows: [Flow] = {
    if ProcessInfo.processInfo.environment["ALL_SECRET_FLOWS"] != nil {
      return cells.flatMap { source, way in
        Derivation.all.map { Flow(source: source, derivation: $0, way: way) }
      }
    }
    let axes = [Source.allCases.count, Derivation.all.count, Way.allCases.count]
    return PairwiseCover.combinations(of: axes).map {
      Flow(source: Source.allCases[$0[0]], derivation: Derivation.all[$0[1]], way: Way.allCases[$0[2]])
    }
  }()

  /// Where each outlet's texts end up in these tests. It does not compile without a new one.
  static func isWatched(_ outlet: Outlet) -> Bool {
    switch outlet {
    // The requests that the transport got.
    case .wire: true
    // What was written to the streams.
    case .screen, .report: true
    // Among the files that were written: a run writes a report in every format.
    case .reportFile: true
    // The files of the store and of the history.
    case .record: true
    // SnapshotTests and SnapshotFileTests look into each file that is written.
    case .snapshot: true
    // No test types a program: what would be shown is what the screen shows.
    case .program: true
    // The names and contents of what was written.
    case .file: true
    }
  }

  @Test func `every outlet is watched`() {
    #expect(Outlet.allCases.allSatisfy(Self.isWatched))
  }

  @Test func `the flows have every pair`() {
    let (sources, pipes, ways) = (Source.allCases.count, Derivation.all.count, Way.allCases.count)
    #expect(Set(Self.flows.map { "\($0.source) \($0.way)" }).count == sources * ways)
    #expect(Set(Self.flows.map { "\($0.derivation.pipe) \($0.way)" }).count == pipes * ways)
    #expect(Set(Self.flows.map { "\($0.source) \($0.derivation.pipe)" }).count == sources * pipes)
  }

  @Test(arguments: flows)
  func `nothing made from a secret leaves`(flow: Flow) async throws {
    try await expectNothingLeaves(of: flow)
  }
}

/// Every source and way with one text and one digest made from each secret: also used to look for a planted fault.
@Suite struct SecretFlowSampleTests {
  static let pipes = ["upper", "sha256"]

  @Test(arguments: SecretFlowTests.cells)
  func `neither a text nor a digest made from a secret leaves`(source: Source, way: Way) async throws {
    let sample = Derivation.all.filter { Self.pipes.contains($0.pipe) }
    #expect(sample.count == Self.pipes.count)
    for derivation in sample {
      try await expectNothingLeaves(of: SecretFlowTests.Flow(source: source, derivation: derivation, way: way))
    }
  }
}

/// Everything that is done with what is made from a secret, in one way.
private func expectNothingLeaves(of flow: SecretFlowTests.Flow) async throws {
  let (source, derivation, way) = (flow.source, flow.derivation, flow.way)
  let expression = derivation.expression(of: source)
  let what = "\(flow)"
  let made = derivation.text(source.text)
  let own = try FlowWorld()
  let sent = Place.allCases.filter { !$0.fails }
  await way.go(sent.map { $0.statement(expression, to: "https://api.test") }, source, derivation, in: own)
  expectNothing(of: [made] + Source.texts, left: own, way, what)
  // The login, the steps, and two of the places send one request more or none.
  if way == .run { #expect(own.ownRequests.count == sent.count, "\(what): \(own.shown)") }

  // Steps that fail, and what the check cannot see: a name reveals nothing to it.
  let foreign = try FlowWorld()
  let statements =
    sent.filter(\.isSent).map { $0.statement("$v", to: "https://other.test") }
    + Place.allCases.filter(\.fails).map { $0.statement("$v", to: "https://api.test") }
  await way.go(statements, source, derivation, in: foreign)
  // A run that failed keeps the cookies it received, in order to continue.
  expectNothing(of: [made] + Source.texts, left: foreign, way, what, keepsCookies: true)
  #expect(!foreign.ownRequests.isEmpty, "\(what): \(foreign.shown)")
  if way == .run { #expect(foreign.shown.contains("may go to https://api.test only"), "\(foreign.shown)") }
}

private func expectNothing(
  of made: [String], left flow: FlowWorld, _ way: Way, _ what: String, keepsCookies: Bool = false
) {
  let leak = Leak(of: made)
  for request in flow.foreignRequests {
    for (text, around) in leak.found(in: Data(request.text.utf8)) {
      Issue.record("\(what): \"\(text)\" went elsewhere: \(around)")
    }
  }
  for (name, bytes) in flow.leftovers() {
    for (text, around) in leak.found(in: bytes) {
      if keepsCookies, name.hasPrefix("store/"), Source.sid.contains(text) { continue }
      // Somebody at the prompt sees a response before declaring that it contains a secret.
      if way.isTyped, Source.received.contains(text) || text == "\"\(Source.received)\"" { continue }
      // If the user asked for a response's bytes, they are the user's.
      if way == .send, ["the file /work/out", "the file /work/-"].contains(name) { continue }
      Issue.record("\(what): \"\(text)\" in \(name): \(around)")
    }
  }
}
