internal import HTTPTypes
public import Requests

extension Uploader {
  /// Sends one request and returns what its response means.
  ///
  /// It is a run of one step, so redirects, retries, credentials, events and reports are those of any other.
  ///
  /// - Throws: `RequestFailure`. A response that is not 2xx is one, too.
  public func send<Output>(_ request: Request<Output>) async throws(RequestFailure) -> Output {
    var run = SequenceRun(RequestSequence(request))
    do {
      try await self.run(&run)
    } catch {
      throw RequestFailure(error, result: run.lastExchange)
    }
    guard case .complete(let output) = run.sequence.state else {
      preconditionFailure("a run that is over has polled its sequence to the end")
    }
    return output
  }
}

/// One typed request as a sequence: the response is read at the second poll, so that an error in it is reported where
/// every error is.
private struct RequestSequence<Output: Sendable>: OperationRequestSequence {
  enum State {
    case new
    case sent
    case complete(Output)
  }

  let request: Request<Output>
  private(set) var state = State.new

  init(_ request: Request<Output>) {
    self.request = request
  }

  mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? {
    switch state {
    case .new:
      let description = try request.description
      state = .sent
      return description
    case .sent:
      state = .complete(try request.output(of: previous))
      return nil
    case .complete:
      return nil
    }
  }

  func unmetExpectations(of exchange: Exchange) -> [UnmetExpectation] {
    let status = exchange.response.status
    guard status.kind != .successful else { return [] }
    return [UnmetExpectation(subject: "status", expected: "2xx", actual: "\(status.code)")]
  }
}
