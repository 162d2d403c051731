/// Every place where a text leaves the program. Who shows, stores or sends a value says by which of these it leaves, and
/// what becomes of the secrets in it is said here and nowhere else.
///
/// A new place is a new case. The tests hold a table of all of them and do not compile without it.
public enum Outlet: Hashable, Sendable, CaseIterable {
  /// A part of a request: its URL, a header field, the body.
  case wire
  /// What a person reads: results, errors, `-v`, the debugger's stops.
  case screen
  /// What programs read, or what is passed on: `--json`, expectations, HAR, a curl line.
  case report
  /// The store of runs and the queue.
  case record
  /// The name of a file.
  case file

  /// What becomes of the secrets.
  public enum Treatment: Hashable, Sendable {
    /// The text goes with all that it was made of. Where it arrives, it is decided whether it may go on: to the secrets'
    /// own origins, or with marks in their place.
    case accompanied
    /// `••••` is in their place.
    case hidden
    /// Nothing that was made of one gets there.
    case refused
  }

  /// What becomes of the secrets in what leaves here.
  public var treatment: Treatment {
    switch self {
    case .wire, .record: .accompanied
    case .screen, .report: .hidden
    case .file: .refused
    }
  }
}
