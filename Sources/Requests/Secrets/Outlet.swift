/// Every place where a text leaves the program. Code that shows, stores or sends a value says which of these it uses,
/// and what happens to the secrets in it is decided here and nowhere else.
///
/// A new place is a new case. The tests have a table of all of them and do not compile without it.
public enum Outlet: Hashable, Sendable, CaseIterable {
  /// A part of a request: its URL, a header field, the body.
  case wire
  /// What a person reads: results, errors, `-v`, the debugger's stops.
  case screen
  /// What programs read, or what is passed on: `--json`, expectations, HAR, a curl line.
  case report
  /// A report that a run leaves behind: `--report FORMAT=PATH`. Servers and other people read it.
  case reportFile
  /// The store of runs and the queue.
  case record
  /// The name of a file.
  case file
  /// What a program reads that the user typed after `|` at the prompt: what would be shown. The body of a response goes
  /// there byte for byte, as into a file, unless the program takes the terminal: then it is what would be shown, too.
  case program
  /// The file of a snapshot: a shape, beside the script and in its repository.
  case snapshot

  /// What happens to the secrets.
  public enum Treatment: Hashable, Sendable {
    /// The text keeps track of everything it was made of. Its destination decides whether it may proceed: to the
    /// secrets' own origins, or with marks in their place.
    case accompanied
    /// `••••` replaces them.
    case hidden
    /// Nothing that was made from one gets there.
    case refused
  }

  /// What happens to the secrets in a text that leaves here.
  public var treatment: Treatment {
    switch self {
    case .wire, .record: .accompanied
    case .screen, .report, .reportFile, .program, .snapshot: .hidden
    case .file: .refused
    }
  }
}
