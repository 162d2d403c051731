internal import HTTPTypes
public import Requests
internal import Synchronization
public import UploaderCore

/// Answers every request from a recording, and in no other way: anything the recording does not contain is an error.
///
/// An edited script may skip steps, add some or request them in another order: a request is found by its content, not
/// by its position.
public final class ReplayJournal: StepJournal {
  private struct State {
    var unused: [RecordedStep]
    var secrets: Set<Secret> = []
    var markers: SecretMarkers
  }

  /// Represent secrets that are not known here.
  public let placeholders: Set<Secret>
  private let state: Mutex<State>
  private let moments: [StepPosition: StepSeed]

  /// - Parameters:
  ///   - steps: those of the recorded run.
  ///   - moments: the seeds with which they were asked for.
  ///   - isOffline: whether nothing will be sent, so that a placeholder may replace a secret that is not known.
  public init(_ steps: [RecordedStep], moments: [StepPosition: StepSeed], isOffline: Bool = true) {
    self.moments = moments
    let answered = steps.filter { $0.response != nil }
    let names = isOffline ? SecretMarkers.names(in: answered.flatMap(\.texts)) : []
    placeholders = Set(names.map(Self.placeholder))
    state = Mutex(State(unused: answered, markers: SecretMarkers(placeholders)))
  }

  /// Represents a secret that is not known here.
  public static func placeholder(of name: String) -> Secret {
    Secret("replayed-\(name)-secret", name: name, for: [])
  }

  public func moment(at position: StepPosition, _ now: () -> StepSeed) -> StepSeed {
    moments[position] ?? now()
  }

  public func recall(_ step: JournalledStep) throws(JournalError) -> RecalledExchange? {
    let result: Result<Exchange, JournalError> = state.withLock { state in
      // A secret's actual value takes precedence over its placeholder.
      state.secrets.formUnion(step.secrets.filter { !$0.isMade })
      let secrets = state.secrets.union(step.secrets)
      let known = Set(secrets.map(\.mark))
      state.markers = SecretMarkers(secrets.union(placeholders.filter { !known.contains($0.name) }))
      let request = RecordedRequest(step.prepared, state.markers)
      // Rounds of a loop may differ only in what they made from secrets, which is the same if nothing has moved.
      let index =
        state.unused.firstIndex { $0.request == request }
        ?? state.unused.firstIndex { $0.request.differences(to: request).isEmpty }
      guard let index, let response = state.unused[index].response
      else { return .failure(Self.nearest(to: request, step.head, in: state.unused)) }
      let recorded = state.unused.remove(at: index)
      do throws(RecallFailure) {
        return .success(try response.exchange(of: recorded.request, step.prepared, state.markers))
      } catch {
        switch error {
        case .store(let error): return .failure(JournalError(error))
        case .unfilled(let markers):
          return .failure(.undecided(step.position, recorded.reason(lacking: markers)))
        }
      }
    }
    return RecalledExchange(try result.get())
  }

  private static func nearest(
    to request: RecordedRequest, _ head: RequestHead, in steps: [RecordedStep]
  ) -> JournalError {
    let candidates = steps.map { step in
      let differences = step.request.differences(to: request)
      let isNamesake = step.label != nil && step.label == head.label
      return (step: step, differences: differences, distance: differences.count - (isNamesake ? 100 : 0))
    }
    let nearest = candidates.min { $0.distance < $1.distance }
    return .notRecorded(
      nearest: nearest.map { "\($0.step.name), \($0.step.request.method) \($0.step.request.url)" },
      differences: nearest?.differences ?? [])
  }

  /// Nothing is sent, so none of this is called.
  public func intend(_ step: JournalledStep) throws(JournalError) {
    throw .notRecorded(nearest: nil, differences: [])
  }

  public func send(_ step: JournalledStep) throws(JournalError) {
    throw .notRecorded(nearest: nil, differences: [])
  }

  public func finish(_ step: JournalledStep, _ outcome: JournalledOutcome) {}

  public func skip(_ position: StepPosition, label: String?, reason: String) {}
}

extension RecordedStep {
  /// Every text in it that may contain a marker.
  fileprivate var texts: [[UInt8]] {
    var texts: [[UInt8]] = []
    _ = mappingTexts(bodyLimit: .max) { bytes, _ in
      texts.append(bytes)
      return bytes
    }
    return texts
  }
}
