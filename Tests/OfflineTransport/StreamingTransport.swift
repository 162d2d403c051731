public import Requests
internal import Synchronization
public import UploaderCore

/// A transport that sends nothing: its responses come in the pieces that a test says.
public final class StreamingTransport: OfflineTransport {
  /// One response.
  public struct Script: Sendable {
    var response: Response
    var pieces: [[UInt8]]
    var ending: ResponseEnding

    /// - Parameter ending: how it ends after the last piece.
    public init(_ response: Response, _ pieces: [[UInt8]], ending: ResponseEnding = .complete) {
      self.response = response
      self.pieces = pieces
      self.ending = ending
    }

    /// The same, of texts.
    public init(_ response: Response, _ pieces: [String], ending: ResponseEnding = .complete) {
      self.init(response, pieces.map { Array($0.utf8) }, ending: ending)
    }
  }

  private let state: Mutex<(scripts: [Script], requests: [TransportRequest])>

  public init(_ scripts: [Script]) {
    state = Mutex((scripts, []))
  }

  /// What was sent.
  public var requests: [TransportRequest] { state.withLock { $0.requests } }

  public func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    throw TransportError(.other(reason: "nobody watches"))
  }

  public func send(
    _ request: TransportRequest, beforeFirstByte: @escaping @Sendable () throws(TransportError) -> Void,
    watcher: any ResponseWatcher, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    let script = state.withLock { state in
      state.requests.append(request)
      return state.scripts.isEmpty ? nil : state.scripts.removeFirst()
    }
    guard var script else { throw TransportError(.other(reason: "no response is left")) }
    let treatment = watcher.begin(script.response.status, as: script.response.streamKind) { script.response }
    var kept: [UInt8] = []
    for piece in script.pieces {
      switch treatment {
      case .kept: kept += piece
      case .watched:
        kept += piece
        if !watcher.receive(piece) { script.ending = .enough }
      case .passedOn: if !watcher.receive(piece) { script.ending = .enough }
      }
      if script.ending == .enough { break }
    }
    if treatment == .kept, case .broken(let error) = script.ending { throw error }
    script.response.body = ResponseBody(kept)
    return TransportResponse(response: script.response, sentHeaders: request.headers, ending: script.ending)
  }
}
