import JSONValue

/// A job on offer. A client may write its title and its state.
struct Job: Hashable, Sendable {
  enum State: String, Hashable, Sendable, CaseIterable {
    case open, closed
  }

  var id: Int
  var title: String
  var state: State

  var json: JSON { ["id": ^id, "title": ^title, "state": ^state.rawValue] }

  /// Applies a payload; nil if it is empty, or contains anything but a title and a state.
  func changed(by payload: JSON) -> Job? {
    guard case .object(let object) = payload, !object.members.isEmpty else { return nil }
    var job = self
    for member in object.members {
      switch member.key {
      case "title":
        guard let title = member.value.string, !title.isEmpty else { return nil }
        job.title = title
      case "state":
        guard let state = member.value.string.flatMap(State.init) else { return nil }
        job.state = state
      default: return nil
      }
    }
    return job
  }
}

/// The existing jobs; two to begin with.
actor JobRegistry {
  private var jobs = [Job(id: 1, title: "Roofer", state: .open), Job(id: 2, title: "Plumber", state: .closed)]

  func jobs(in state: Job.State?) -> [Job] {
    jobs.filter { state == nil || $0.state == state }
  }

  func job(_ id: Int) -> Job? {
    jobs.first { $0.id == id }
  }

  /// Adds what the payload describes; nil if that is not a job.
  func add(_ payload: JSON) -> Job? {
    guard payload["title"] != nil else { return nil }
    guard let job = Job(id: jobs.count + 1, title: "", state: .open).changed(by: payload) else { return nil }
    jobs.append(job)
    return job
  }

  /// Changes an existing job; nil if the payload does not fit a job.
  func change(_ id: Int, _ payload: JSON) -> Job? {
    guard let index = jobs.firstIndex(where: { $0.id == id }), let job = jobs[index].changed(by: payload) else {
      return nil
    }
    jobs[index] = job
    return job
  }
}
