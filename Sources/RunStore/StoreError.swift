internal import POSIX
public import Requests

/// Why the store cannot do what it was asked.
public enum StoreError: Error, Hashable, Sendable {
  /// A file or directory of it cannot be created, opened or locked.
  case unusable(path: String, reason: SystemError)
  /// It belongs to somebody else, or is a link.
  case notOurs(path: String)
  /// SQLite's words.
  case database(String)
  /// A later program has given it a format that is not known here.
  case format(Int, known: Int, path: String)
  /// No run has this id or prefix.
  case noSuchRun(String)
  /// Several runs have this prefix.
  case ambiguousRun(String, [String])
  /// The run has no such step. The labels are those of all that it has, of each round of one.
  case noSuchStep(String, labels: [String])
  /// Another process is working on it.
  case busy(run: String)
  /// What is recorded cannot be read back.
  case damaged(String)
  /// A file of the spool that a record needs is gone.
  case noBody(digest: String)
  /// A process is working on that operation of the queue.
  case busyOperation(Int)
  /// No operation of the queue has this number.
  case noSuchOperation(String)
  /// That operation of the queue is no longer this process's: another one may be working on it.
  case leaseLost(Int)
  /// The server that keeps the queue cannot be reached, or ended the connection.
  case unreachable(String)
  /// The server's words, or why it is not asked.
  case server(String)
  /// What was given as the place of the store can be none.
  case address(String)
}

extension StoreError: CustomStringConvertible {
  private static func list(_ names: [String]) -> String {
    names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
  }

  public var description: String {
    switch self {
    case .unusable(let path, let reason): "cannot use \"\(path)\" for recording runs: \(reason)"
    case .notOurs(let path): "\"\(path)\" is a link, or belongs to somebody else: runs are not recorded there"
    case .database(let reason): "the store of recorded runs: \(reason)"
    case .format(let format, let known, let path):
      "\"\(path)\" was last used by a later version of this program: its format is \(format), this one knows \(known)"
    case .noSuchRun("last"): "no run is recorded yet"
    case .noSuchRun(let text): "no recorded run is called \"\(text)\""
    case .ambiguousRun(let text, let ids): "\"\(text)\" may be any of \(ids.joined(separator: ", "))"
    case .noSuchStep(let text, let labels):
      "the run has no step \"\(text)\"" + (labels.isEmpty ? "" : "; it has \(Self.list(labels.uniqued()))")
    case .busy(let run): "another process is working on run \(run)"
    case .damaged(let what): "what is recorded cannot be read back: \(what)"
    case .noBody(let digest): "the body sha256:\(digest) is no longer in the store"
    case .busyOperation(let number): "a process is working on operation \(number)"
    case .noSuchOperation(let text): "the queue has no operation \"\(text)\""
    case .leaseLost(let number):
      "operation \(number) is no longer this process's, which cannot record what became of it"
    case .unreachable(let reason): "the server of the queue cannot be reached: \(reason)"
    case .server(let reason): "the server of the queue: \(reason)"
    case .address(let reason): "the place of the store: \(reason)"
    }
  }
}

extension StoreError {
  /// Whether there is no place where the store could be: nothing is wrong with the disk or with what is there.
  public var isLackOfPlace: Bool {
    switch self {
    case .unusable(_, let reason): [EACCES, EPERM, EROFS, ENOENT, ENOTDIR].contains(reason.number)
    case .notOurs: true
    case .database, .format, .noSuchRun, .ambiguousRun, .noSuchStep, .busy, .damaged, .noBody, .busyOperation,
      .noSuchOperation, .leaseLost, .unreachable, .server, .address:
      false
    }
  }

  /// Whether it is in a place where nothing can be written.
  package var isReadOnly: Bool {
    if case .unusable(_, let reason) = self { reason.number == EROFS } else { false }
  }
}

extension StoreError {
  /// What can be done about an error.
  public enum Kind: Hashable, Sendable {
    /// It is worth asking again.
    case unreachable
    /// It concerns one operation, which is somebody else's now.
    case leaseLost
    /// It comes again.
    case fatal
  }

  public var kind: Kind {
    switch self {
    case .unreachable: .unreachable
    case .leaseLost: .leaseLost
    case .unusable, .notOurs, .database, .format, .noSuchRun, .ambiguousRun, .noSuchStep, .busy, .damaged, .noBody,
      .busyOperation, .noSuchOperation, .server, .address:
      .fatal
    }
  }
}

extension [String] {
  fileprivate func uniqued() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
