package import Requests
package import Sessions
internal import Synchronization

/// The reports of one run or suite. Each is written as it goes, and at the end it is there whole, or not at all.
package final class ReportFiles: Sendable {
  private struct OpenReport: Sendable {
    let format: ReportFileFormat
    var writer: any ReportWriter
    let draft: any FileDraft
    var pending: [UInt8] = []
    var failure: FileError?

    mutating func write(_ line: ReportLine) {
      guard failure == nil else { return }
      pending += writer.bytes(for: line)
      if pending.count >= 65_536 || format == .github { flush() }
    }

    mutating func complete() {
      guard failure == nil, let late = writer.late else { return }
      do throws(FileError) { try draft.replace(late.bytes, at: late.offset) } catch { failure = error }
    }

    mutating func flush() {
      guard failure == nil, !pending.isEmpty else { return }
      do throws(FileError) { try draft.write(pending) } catch { failure = error }
      pending.removeAll(keepingCapacity: true)
    }
  }

  private let reports: Mutex<[OpenReport]>
  /// What the lines have to contain.
  package let detail: ReportDetail

  /// - Parameter isWhole: whether JSON lines have headers and bodies in them.
  /// - Throws: `FileError` if one cannot be written; none is begun then.
  package init(_ targets: [ReportTarget], isWhole: Bool = false, in world: World) throws(FileError) {
    var opened: [OpenReport] = []
    for target in targets {
      do throws(FileError) {
        opened.append(
          OpenReport(
            format: target.format, writer: target.format.writer(isWhole: isWhole),
            draft: try world.draftFile(target.path)))
      } catch {
        for report in opened { report.draft.discard() }
        throw error
      }
    }
    detail = ReportDetail(
      isWhole: isWhole || targets.contains { $0.format.isWhole },
      hasRecords: targets.contains { $0.format.needsRecords })
    reports = Mutex(opened)
  }

  package var isEmpty: Bool { reports.withLock(\.isEmpty) }

  package func write(_ line: ReportLine) {
    reports.withLock { reports in
      for index in reports.indices { reports[index].write(line) }
    }
  }

  /// Puts the complete reports in their places.
  ///
  /// - Returns: what went wrong; those reports are not there.
  package func finish() -> [FileError] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports.indices.compactMap { index -> FileError? in
        reports[index].flush()
        reports[index].complete()
        do throws(FileError) {
          if let failure = reports[index].failure { throw failure }
          try reports[index].draft.commit()
          return nil
        } catch {
          reports[index].draft.discard()
          return error
        }
      }
    }
  }

  /// Leaves none of them.
  package func discard() {
    reports.withLock { reports in
      for report in reports { report.draft.discard() }
      reports = []
    }
  }
}

extension World {
  /// The same with what people read on the error output, if one of the reports is the whole of standard output.
  package func leavingOutput(to targets: [ReportTarget]) -> World {
    // Annotations are lines among others.
    guard targets.contains(where: { $0.path == "-" && $0.format != .github }) else { return self }
    var world = self
    world.output = errorOutput
    return world
  }
}

/// How much the lines of a report contain.
package struct ReportDetail: Hashable, Sendable {
  /// Headers and bodies.
  package var isWhole = false
  /// What archives are made of.
  package var hasRecords = false

  package init(isWhole: Bool = false, hasRecords: Bool = false) {
    self.isWhole = isWhole
    self.hasRecords = hasRecords
  }
}
