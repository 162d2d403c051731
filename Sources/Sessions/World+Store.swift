internal import Requests
package import RunStore

extension World {
  /// The store of recorded runs.
  ///
  /// - Parameter directory: where it is; nil: the user's own.
  package func store(in directory: String?) throws(StoreError) -> RunStore {
    guard let path = directory ?? RunStore.defaultPath(environment) else {
      throw .unusable(path: "~/.local/state/workbench", reason: SystemError(number: 2))
    }
    return try RunStore(at: path)
  }
}

extension StoreError {
  package var exitCode: ExitCode {
    switch self {
    case .noSuchRun, .ambiguousRun, .noSuchStep, .noSuchOperation, .address: .usage
    case .busy, .busyOperation, .leaseLost: .failed
    case .unusable, .notOurs, .database, .format, .damaged, .noBody, .server: .file
    case .unreachable: .network
    }
  }
}
