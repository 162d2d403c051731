import JSONValue
public import Requests

/// The example of *Statically-typed JSON payload in Swift* (Job&Talent): list the jobs, and modify one.
public struct Job: Codable, Hashable, Sendable, Identifiable {
  public enum State: String, Codable, Sendable {
    case open, closed
  }

  public let id: Int
  public var title: String
  public var state: State
}

extension Request where Output == [Job] {
  public static var allJobs: Request { .json(.get, "/jobs") }

  public static func jobs(in state: Job.State) -> Request {
    .json(.get(["state": state.rawValue]), "/jobs")
  }
}

extension Request where Output == Job {
  public static func offer(title: String) -> Request {
    .json(.post(["title": ^title]), "/jobs")
  }

  public static func modify(_ id: Job.ID, title: String? = nil, state: Job.State? = nil) -> Request {
    var changes: JSON = [:]
    if let title { changes["title"] = ^title }
    if let state { changes["state"] = ^state.rawValue }
    return .json(.patch(.json(changes)), "/jobs/\(id)")
  }
}
