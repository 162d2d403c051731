internal import JSONValue
package import Sessions

/// Puts the reports of a suite's shards together: the files in the order of the whole suite, whichever shard ran them.
/// Only the next line of each is in memory.
package struct ReportMerge {
  package enum Failure: Error, Hashable {
    /// Of how many shards, these are missing.
    case missingShards([Int], of: Int)
    /// The shard is there twice.
    case repeatedShard(Int)
    /// They are reports of different suites.
    case differentSuites(String)
    /// The file cannot be read as a report.
    case unreadable(String, ReportReader.Failure)
    /// Several reports, and at least one of them is not of a shard.
    case notAShard(String)
  }

  private struct Source {
    let name: String
    var reader: ReportReader
    var line: ReportLine?
    var shard: (index: Int, count: Int)?
    var end: ReportLine?

    mutating func advance() throws {
      do {
        line = try reader.next()
      } catch let failure as ReportReader.Failure {
        throw Failure.unreadable(name, failure)
      }
      if line?.kind == .suiteEnd {
        end = line
        line = nil
      }
    }
  }

  private var sources: [Source]
  private let heading: ReportLine

  /// - Parameter readers: with the names of their files.
  package init(_ readers: [(name: String, reader: ReportReader)]) throws {
    var sources: [Source] = []
    var headings: [ReportLine] = []
    for (name, reader) in readers {
      var source = Source(name: name, reader: reader)
      try source.advance()
      guard let heading = source.line, heading.kind == .suite else { throw Failure.unreadable(name, .notALine(1)) }
      if let shard = heading["shard"], let index = shard["index"]?.int, let count = shard["of"]?.int {
        source.shard = (index, count)
      }
      headings.append(heading)
      try source.advance()
      sources.append(source)
    }
    guard var heading = headings.first else { throw ReportReader.Failure.empty }
    if sources.count > 1 || sources.contains(where: { $0.shard != nil }) {
      try Self.check(sources, headings)
      heading.object["shard"] = nil
      heading.object["id"] = nil
      let started = headings.compactMap { $0["started"]?.string }.min()
      if let started { heading.object["started"] = .string(started) }
    }
    self.sources = sources
    self.heading = heading
  }

  private static func check(_ sources: [Source], _ headings: [ReportLine]) throws {
    var seen: Set<Int> = []
    guard let count = sources[0].shard?.count else { throw Failure.notAShard(sources[0].name) }
    for (source, heading) in zip(sources, headings) {
      guard let shard = source.shard else { throw Failure.notAShard(source.name) }
      guard shard.count == count, heading["files"]?.int == headings[0]["files"]?.int else {
        throw Failure.differentSuites(source.name)
      }
      guard seen.insert(shard.index).inserted else { throw Failure.repeatedShard(shard.index) }
    }
    let missing = Set(1...count).subtracting(seen).sorted()
    guard missing.isEmpty else { throw Failure.missingShards(missing, of: count) }
  }

  /// Passes on the lines of the whole.
  ///
  /// - Returns: how it ended; interrupted if one of them has no end.
  package mutating func run(_ write: (ReportLine) -> Void) throws -> ExitCode {
    write(heading)
    var counts = ReportCounts()
    var (files, failed) = (0, 0)
    var hasOpenFile = false
    while let next = sources.indices.filter({ sources[$0].line != nil }).min(by: {
      (sources[$0].line?.index ?? 0) < (sources[$1].line?.index ?? 0)
    }) {
      // A file's lines stay together.
      let index = sources[next].line?.index
      var open: ReportLine?
      while let line = sources[next].line, line.index == index {
        if line.kind == .file { open = line }
        if line.kind == .step { counts.count(line) }
        if line.kind == .fileEnd {
          open = nil
          files += 1
          if line["exit-code"]?.int != 0 { failed += 1 }
        }
        write(line)
        try sources[next].advance()
      }
      if let open {
        hasOpenFile = true
        files += 1
        failed += 1
        write(Self.interruptedEnd(of: open))
      }
    }
    let ends = sources.compactMap(\.end)
    let isInterrupted = hasOpenFile || ends.count < sources.count
    let codes = Set(ends.compactMap { $0["exit-code"]?.int }).subtracting([0])
    let code: ExitCode =
      isInterrupted || codes.contains(130)
      ? .interrupted
      : codes.count == 1 ? ExitCode(rawValue: Int32(codes.first ?? 1)) ?? .failed : codes.isEmpty ? .success : .failed
    var end: JSONObject = [
      "ok": .bool(code == .success), "exit-code": ^Int(code.rawValue), "cause": .string(code.word),
      "time": ^(ends.map(\.milliseconds).max() ?? 0), "files": ^files, "failed-files": ^failed,
    ]
    end.members += counts.members.members
    write(ReportLine(.suiteEnd, end))
    return code
  }

  /// The end of a file whose run was killed.
  static func interruptedEnd(of file: ReportLine) -> ReportLine {
    var object = JSONObject(
      file.object.members.filter { ["file", "index", "repetition"].contains($0.key) }.map { ($0.key, $0.value) })
    object.members +=
      JSONObject([
        ("ok", false), ("exit-code", ^Int(ExitCode.interrupted.rawValue)),
        ("cause", .string(ExitCode.interrupted.word)),
        ("time", 0),
      ]).members
    return ReportLine(.fileEnd, object)
  }
}

extension ReportMerge.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingShards(let missing, let count):
      "of \(count) shards, \(missing.map(String.init).joined(separator: ", ")) \(missing.count == 1 ? "is" : "are") missing"
    case .unreadable(let name, let failure): "\(name): \(failure)"
    case .repeatedShard(let index): "shard \(index) is there twice"
    case .differentSuites(let name): "\"\(name)\" is a shard of another suite"
    case .notAShard(let name): "\"\(name)\" is not the report of a shard, so it cannot be put together with others"
    }
  }
}
