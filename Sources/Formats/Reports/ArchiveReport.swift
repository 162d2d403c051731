internal import JSONValue
internal import Requests
internal import RunStore
internal import Sessions

/// An HTTP Archive of all that was sent and received.
struct ArchiveReport: ReportWriter {
  private var writer = HAR.Writer()
  private var steps: [RecordedStep] = []
  private var isFirst = true

  mutating func bytes(for line: ReportLine) -> [UInt8] {
    switch line.kind {
    case .suite: return Array(HAR.beginning(version: ProgramVersion.current).utf8)
    case .step, .exchange:
      if let step = line.record { steps.append(step) }
      return []
    case .fileEnd:
      // A credential is hidden in all of its file, wherever it appeared first.
      defer { steps = [] }
      var bytes: [UInt8] = []
      for entry in writer.entries(steps) {
        bytes.append(isFirst ? "\n" : ",\n")
        bytes += JSONPrinter.compact.print(entry)
        isFirst = false
      }
      return bytes
    case .suiteEnd: return Array("\n]}}\n".utf8)
    case .file, .problem: return []
    }
  }
}
