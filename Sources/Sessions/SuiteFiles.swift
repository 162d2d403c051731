internal import Diagnostics
internal import Imports
internal import POSIX
internal import RequestSyntax
package import Requests

/// A script of a suite.
package struct SuiteFile: Hashable, Sendable {
  /// As it was given, or below the directory that was given.
  package let path: String
  package let tags: [String]
}

/// The scripts that are meant by files, directories and patterns.
package struct SuiteFiles {
  private let world: World

  package init(in world: World) {
    self.world = world
  }

  /// Each script once: the arguments in their order, the files of a directory or a pattern sorted. Of a directory and a
  /// pattern, only scripts that have steps of their own: what others `use` is no test.
  ///
  /// - Throws: `FileError` when what is named is not there.
  package func files(of arguments: [String]) throws(FileError) -> [SuiteFile] {
    var found: [SuiteFile] = []
    var known: Set<String> = []
    for argument in arguments {
      for file in try files(of: argument) where known.insert(file.path).inserted { found.append(file) }
    }
    return found
  }

  private func files(of argument: String) throws(FileError) -> [SuiteFile] {
    let failure: FileError
    do throws(FileError) {
      return [script(argument, try world.readFile(argument)).file]
    } catch {
      failure = error
    }
    if failure.isOfDirectory { return try acting(scripts(below: argument)) }
    if argument.contains(where: { "*?[".contains($0) }) {
      let isAbsolute = argument.hasPrefix("/")
      let paths = expand(isAbsolute ? "/" : "", argument.split(separator: "/")[...])
      if !paths.isEmpty { return try acting(paths) }
    }
    throw failure
  }

  /// The scripts that have steps of their own.
  private func acting(_ paths: [String]) throws(FileError) -> [SuiteFile] {
    var files: [SuiteFile] = []
    for path in paths {
      let found = script(path, try world.readFile(path))
      if found.hasSteps { files.append(found.file) }
    }
    return files
  }

  private func script(_ path: String, _ bytes: [UInt8]) -> (file: SuiteFile, hasSteps: Bool) {
    let parsed = Parser.read(SourceText(name: path, bytes: bytes))
    var tags: [String] = []
    for case .tags(let node) in parsed.script.statements { tags += node.names.map(\.text) }
    let acts = parsed.script.statements.contains { statement in
      switch statement {
      case .step, .run, .loop, .parallel: true
      case .binding, .secret, .sequence, .finally, .use, .tags, .profile: false
      }
    }
    // What cannot be read as a script fails when it is run.
    return (SuiteFile(path: path, tags: tags), acts || !parsed.diagnostics.isEmpty)
  }

  /// Every script below a directory, with steps of its own or without.
  package func scripts(below directory: String) -> [String] {
    let base = directory.hasSuffix("/") ? directory : "\(directory)/"
    return world.listDirectory(directory).filter { !$0.hasPrefix(".") }.sorted().flatMap { name in
      if name.hasSuffix("/") { return scripts(below: base + name.dropLast()) }
      return name.hasSuffix(".wb") || ForeignScript(fileName: name) == .hurl ? [base + name] : []
    }
  }

  private func expand(_ base: String, _ components: ArraySlice<Substring>) -> [String] {
    guard let first = components.first else { return [] }
    let names = world.listDirectory(base).sorted()
    let rest = components.dropFirst()
    if first == "**" {
      return (rest.isEmpty ? [] : expand(base, rest))
        + names.filter { $0.hasSuffix("/") && !$0.hasPrefix(".") }.flatMap { expand(base + $0, components) }
    }
    let pattern = FilePattern(String(first))
    return names.flatMap { name in
      let isDirectory = name.hasSuffix("/")
      guard pattern.matches(isDirectory ? String(name.dropLast()) : name) else { return [String]() }
      if rest.isEmpty { return isDirectory ? [] : [base + name] }
      return isDirectory ? expand(base + name, rest) : []
    }
  }
}

extension FileError {
  /// Whether a directory was named where a file was expected.
  package var isOfDirectory: Bool {
    if case .unreadable(_, let reason) = self { reason.number == EISDIR } else { false }
  }
}

/// A pattern for names, as shells have them: `*`, `?`, `[a-z]`, `[!a]`.
package struct FilePattern: Sendable {
  private let pattern: [Character]

  package init(_ pattern: String) {
    self.pattern = Array(pattern)
  }

  /// Whether it stands for the whole name. A name that begins with a dot has to be meant.
  package func matches(_ name: String) -> Bool {
    if name.hasPrefix("."), pattern.first != "." { return false }
    return matches(Array(name))
  }

  /// Each `*` takes as little as possible; only the last one is reconsidered, which is enough.
  private func matches(_ name: [Character]) -> Bool {
    var (place, index) = (0, 0)
    var star: (place: Int, index: Int)?
    while index < name.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, index)
        place += 1
      } else if let next = step(at: place, name[index]) {
        place = next
        index += 1
      } else if let last = star {
        star = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }

  /// - Returns: what follows in the pattern if it takes the character; nil: it does not.
  private func step(at place: Int, _ character: Character) -> Int? {
    guard place < pattern.count else { return nil }
    switch pattern[place] {
    case "?": return place + 1
    case "[":
      guard let end = pattern[(place + 1)...].dropFirst().firstIndex(of: "]") else { break }
      var set = pattern[(place + 1)..<end]
      let isNegated = set.first == "!"
      if isNegated { set = set.dropFirst() }
      var isIn = false
      var next = set.startIndex
      while next < set.endIndex {
        if next + 2 < set.endIndex, set[next + 1] == "-" {
          isIn = isIn || (set[next] <= character && character <= set[next + 2])
          next += 3
        } else {
          isIn = isIn || set[next] == character
          next += 1
        }
      }
      return isIn != isNegated ? end + 1 : nil
    default: break
    }
    return pattern[place] == character ? place + 1 : nil
  }
}
