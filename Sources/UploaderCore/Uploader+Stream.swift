internal import HTTPTypes
internal import JSONValue
internal import Requests

/// Responses that come bit by bit.
extension Uploader {
  /// What looks at the responses of a step.
  func watch(
    _ description: RequestDescription, of sequence: some OperationRequestSequence, at position: StepPosition
  ) -> StreamWatch {
    // What a later statement makes a secret of may be in any piece.
    let isForFile = description.head.savesBodyTo.map { $0 != "-" } ?? false
    let show = sequence.mayFindSecrets || isForFile ? nil : stream
    // Made for each step, so it holds no more than it needs.
    var isEnough: (@Sendable (Exchange, JSON?) -> Bool)?
    if description.head.stream?.condition != nil { isEnough = { sequence.isEnough($0, values: $1) } }
    return StreamWatch(
      description, at: position, passOn: description.head.savesBodyTo == nil ? passOn : nil,
      passesStreamsOnly: passesStreamsOnly, show: show, observe: observe, isEnough: isEnough, now: clock.now,
      cancellation: cancellation)
  }

  /// Continues an event stream that broke off, if its server gave it identifiers to continue after, and makes one
  /// response of all that came. One that ends somewhere else than where its server ended it is cut so that no secret is
  /// cut in two.
  ///
  /// - Returns: why it is not complete; nil: it is, or somebody had enough of it.
  func goOn(
    _ reply: inout TransportResponse, with prepared: PreparedRequest, watch: StreamWatch,
    of sequence: some OperationRequestSequence, at position: StepPosition
  ) async throws(UploadError) -> TransportError? {
    let head = prepared.description.head
    var isLost = 0
    var eventCount = watch.eventCount
    let began = clock.now()
    while true {
      var failure: TransportError?
      switch reply.ending {
      case .enough, .timeUp:
        if watch.enough == nil, reply.ending == .enough {
          // Nobody reads it anymore.
          return nil
        }
        try keep(&reply, upTo: watch.enough, head, sequence, prepared)
        return nil
      case .broken(let error): failure = error
      // A stream that is to be looked at for longer is continued, too.
      case .complete: if watch.enough != nil || head.stream == nil { return nil }
      }
      let isInterrupted = Task.isCancelled || failure?.fact == .cancelled
      guard !isInterrupted, !watch.isOutOfTime(failure), isLost < Self.mostLost, head.method == .get,
        head.retry?.attempts != 1,
        RetryPolicy.mayRepeat(head), head.stream.map({ $0.duration != nil || $0.condition != nil }) ?? (failure != nil),
        let (id, wait, count) = watch.continuation, HTTPField.isValidValue(id)
      else {
        guard let failure else { return nil }
        reply.response.cut = isInterrupted ? .interrupted : .broken(reason: failure.fact.summary)
        try keep(&reply, upTo: nil, head, sequence, prepared)
        return isInterrupted ? TransportError(.cancelled, requestWasSent: true) : failure
      }
      try keep(&reply, upTo: count, head, sequence, prepared)
      var next = prepared
      next.request.headers[.lastEventID] = id
      if let duration = head.stream?.duration {
        let left = duration.subtracting(clock.now().subtracting(began)).subtracting(reply.timings.total)
        guard left > wait else {
          try? await clock.sleep(max(.zero, left))
          reply.ending = Task.isCancelled ? .broken(TransportError(.cancelled, requestWasSent: true)) : .timeUp
          continue
        }
        next.request.stream?.duration = left.subtracting(wait)
      }
      watch.goesOn(after: id, in: wait)
      do {
        try await clock.sleep(wait)
        try Task.checkCancellation()
      } catch {
        reply.ending = .broken(TransportError(.cancelled, requestWasSent: true))
        continue
      }
      watch.sending(StreamWatch.Sending(prepared: next, started: began), continues: true)
      do throws(UploadError) {
        let (more, _) = try await authorized(next, at: position, step: nil, of: sequence, watch: watch)
        // The server says that it is over.
        if more.response.status.code == 204 {
          reply.ending = .complete
          return nil
        }
        guard more.response.status.kind == .successful, more.response.streamKind == .events else {
          let reason = "\(more.response.status.code) when the stream was to continue after \"\(id)\""
          reply.ending = .broken(TransportError(.connectionLost(reason: reason), requestWasSent: true))
          isLost = Self.mostLost
          continue
        }
        try join(more, to: &reply, head)
        isLost = watch.eventCount > eventCount ? 0 : isLost + 1
        eventCount = watch.eventCount
      } catch {
        guard case .transport(let lost, _) = error.fact else { throw error }
        reply.ending = .broken(lost)
        isLost += 1
      }
    }
  }

  /// How often a stream is continued in vain.
  private static let mostLost = 3

  private func join(_ more: TransportResponse, to reply: inout TransportResponse, _ head: RequestHead)
    throws(UploadError)
  {
    do {
      reply.response.body = try reply.response.body.appending(more.response.body)
    } catch {
      throw UploadError(.transport(Self.unkept(error), origin: nil), in: head)
    }
    reply.ending = more.ending
    reply.timings.total = reply.timings.total.adding(more.timings.total)
  }

  /// Cuts the body after so many bytes, or else before what may be the beginning of a secret.
  private func keep(
    _ reply: inout TransportResponse, upTo count: Int?, _ head: RequestHead,
    _ sequence: some OperationRequestSequence, _ prepared: PreparedRequest
  ) throws(UploadError) {
    let body = reply.response.body
    do {
      if let count {
        reply.response.body = try body.prefix(count)
        return
      }
      let secrets = sequence.secrets.union(head.secrets).union((sequence.profiles ?? profiles).secrets)
      let search = FormSearch(secrets)
      let start = max(0, body.count - search.widest)
      let tail = try body.bytes(from: start)
      reply.response.body = try body.prefix(start + search.openEnd(of: tail))
    } catch {
      throw UploadError(.transport(Self.unkept(error), origin: nil), in: head)
    }
  }

  private static func unkept(_ error: any Error) -> TransportError {
    (error as? FileError).map { TransportError(.file($0), requestWasSent: true) }
      ?? TransportError(.other(reason: "\(error)"), requestWasSent: true)
  }
}

extension HTTPField.Name {
  /// Where an event stream continues (WHATWG HTML §9.2).
  fileprivate static var lastEventID: HTTPField.Name {
    guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("it is a token") }
    return name
  }
}
