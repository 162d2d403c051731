internal import Diagnostics
internal import Formats
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import UploaderCore

/// `:save`: what was explored becomes a script.
extension REPL {
  mutating func save(_ argument: String?) {
    var selection: SaveSelection
    do {
      selection = try SaveSelection(argument, last: run.exchanges.count) { exchange(called: $0)?.number }
    } catch {
      return fail(error.report)
    }
    if !selection.replaces, (try? world.readFile(selection.file)) != nil {
      return fail(
        ErrorReport("\(selection.file) already exists", notes: ["to overwrite it: :save \(selection.file)! …"]))
    }
    var script = script(of: selection)
    // Nothing that is known to be secret may be in the file, in any form.
    var leftOut: [String] = []
    while let leak = WrittenSecrets(script.text, variables: script.variables.keys)
      .leak(of: secrets.all.union(script.secrets))
    {
      let numbers = script.numbers(ofStepWriting: secrets.all.union(script.secrets))
      guard selection.leaveOut(numbers) else { return fail(report(leak, of: numbers, in: selection)) }
      leftOut.append("left out \(Self.list(numbers)), which would contain \(leak.subject): \(leak.text)")
      script = self.script(of: selection)
    }
    if !leftOut.isEmpty {
      leftOut.append("to keep it, declare it before it is used: secret name = $env.NAME for profile")
    }
    script.notes = leftOut + script.notes
    guard !script.steps.isEmpty else {
      return fail(ErrorReport("there is nothing to save", notes: script.notes))
    }
    let proof = proof(script)
    let directory = ScriptFile.directory(of: selection.file)
    if let fault = proof.fault(file: selection.file, directory: directory) {
      let line = fault.source.lineIndex(at: fault.range.lowerBound)
      return fail(
        ErrorReport(
          "\(selection.file) is not written: it would not be valid: \(fault.message)",
          notes: [
            "line \(line + 1) would be: \(fault.source[fault.source.lineRange(line)].trimmed)"
          ] + (selection.isOfAll ? ["name the requests to save: \(Command.save.example)"] : [])))
    }
    do {
      try world.writeScript(script.text, to: selection.file)
    } catch {
      return fail(ErrorReport("\(error)"))
    }
    savedVariables.merge(script.variables) { $1 }
    tell(script, proof, in: selection.file)
  }

  private func script(of selection: SaveSelection) -> ScriptSaver.Script {
    let session = (try? run.sequence.withRemovedProfiles(at: world.moment)) ?? run.sequence
    var saver = ScriptSaver(
      selection, exchanges: run.exchanges, failed: failedNumbers, log: log, session: session, secrets: secrets.all,
      // What was saved before, perhaps over the same file, keeps the names of its variables.
      environment: world.variables.merging(savedVariables) { own, _ in own }, workingDirectory: world.workingDirectory)
    let directory = ScriptFile.directory(of: selection.file)
    return saver.script { script in
      proof(script).differences(file: selection.file, directory: directory, from: run.exchanges)
    }
  }

  private func proof(_ script: ScriptSaver.Script) -> SavedScriptProof {
    SavedScriptProof(script, environment: world.programEnvironment, transport: world.transport)
  }

  /// - Parameter numbers: those of the step that has it; empty: it is elsewhere.
  private func report(_ leak: WrittenSecrets.Leak, of numbers: [Int], in selection: SaveSelection) -> ErrorReport {
    ErrorReport(
      "\(selection.file) is not written: it would contain \(leak.subject)",
      notes: [
        "line \(leak.line)\(numbers.isEmpty ? "" : ", \(Self.list(numbers)),") would be: \(leak.text)",
        "declare it before it is used: secret name = $env.NAME for profile",
        "or name the requests to save: \(Command.save.example)",
      ])
  }

  /// `$3` or `$3, $4`
  private static func list(_ numbers: [Int]) -> String { numbers.map { "$\($0)" }.joined(separator: ", ") }

  /// The numbers of responses that ended a step that failed, and of rounds that nothing ended.
  private var failedNumbers: Set<Int> {
    var failed: Set<Int> = []
    var number = 0
    var isOpen = false
    for record in run.history.steps {
      if case .failed(_, nil) = record, isOpen { failed.insert(number) }
      isOpen = false
      guard record.exchange != nil else { continue }
      number += 1
      switch record {
      case .failed: failed.insert(number)
      case .round: isOpen = true
      case .exchange, .skipped, .group: break
      }
    }
    return failed
  }

  private func tell(_ script: ScriptSaver.Script, _ proof: SavedScriptProof, in file: String) {
    printer.result(withoutSecrets: script.text)
    let count = script.steps.count
    printer.result(StyledText("\(file): \(count) step\(count == 1 ? "" : "s")\n", .strong))
    for note in script.notes { printer.result(StyledText("  \(note)\n", .faint)) }
    let missing = script.variables.keys.filter { world.environment[$0] == nil }.sorted()
    if !missing.isEmpty {
      printer.result(StyledText("  set before it runs: \(script.list(missing))\n", .warning))
      // Those of a file are this session's only.
      if missing.contains(where: { world.fileVariables[$0] != nil }) {
        printer.result(StyledText("  a file of variables is read with --env-file FILE\n", .faint))
      }
    }
    let differences = proof.differences(file: file, directory: ScriptFile.directory(of: file), from: run.exchanges)
    if differences.isEmpty {
      printer.result(StyledText("  run over these responses, it sends the same requests\n", .faint))
    }
    for difference in differences {
      let sentence = secrets.redact(difference.sentence, keeping: Keywords.all)
      printer.error(own: StyledText("  warning: \(sentence)\n", .warning))
    }
  }
}

extension SaveSelection.ParseError {
  fileprivate var report: ErrorReport {
    switch self {
    case .noFile: ErrorReport("a file is missing", notes: [Command.save.example])
    case .malformed(let word):
      ErrorReport(
        "\"\(word)\" is not the number or the label of a response",
        notes: ["write 3, 3..7, 3.. or a label after the file"])
    case .outOfRange(let word, let last):
      ErrorReport("there is no \"\(word)\"", notes: ["the last response is $\(last)"])
    case .nothingYet: ErrorReport("there is no response yet, so there is nothing to save")
    }
  }
}
