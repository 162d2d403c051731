internal import CCurl
internal import HTTPTypes
internal import Requests
internal import UploaderCore

/// One request in progress, on an easy handle that is new or as good as new.
///
/// It is used only on its loop's thread from its creation to its end; libcurl calls it back there.
//
// SAFETY: what libcurl's callbacks change is not checked for exclusive access, which would happen fifty times for each
// request. No callback runs inside another, and none of these is handed on while it is changed.
final class Transfer {
  /// What it is to do.
  let ticket: TransferLoop.Ticket
  /// The ticket's. What each callback calls is lent it from here, and would retain the ticket's own.
  let request: TransportRequest
  @exclusivity(unchecked) private var waiter: TransferLoop.Waiter?

  @exclusivity(unchecked) private(set) var handle: EasyHandle?
  var easy: UnsafeMutableRawPointer? { handle?.pointer }
  var url: ParsedURL { ticket.url }
  let fieldCache: HeaderFieldCache
  /// Where its pool has it.
  @exclusivity(unchecked) var place = 0

  /// What becomes of the response's body; known when its head is complete.
  @exclusivity(unchecked) var treatment = BodyTreatment.kept
  /// Whether the watcher wanted no more.
  @exclusivity(unchecked) var isEnough = false
  /// How much the watcher got that is not kept, in bytes.
  @exclusivity(unchecked) var passedCount = 0
  /// When the head of the response was complete.
  @exclusivity(unchecked) var headAt: MonotonicTime?
  /// The body to send; nil without one.
  @exclusivity(unchecked) var reader: BodyReader?
  /// What came back.
  @exclusivity(unchecked) var head = ResponseHead()
  @exclusivity(unchecked) var sink = ResponseSink()
  @exclusivity(unchecked) var encodedBody = EncodedBody()
  /// Whether anything of the request was sent.
  @exclusivity(unchecked) var hasSent = false
  /// What libcurl has sent of the request's head, until it is complete.
  @exclusivity(unchecked) var sentHead: [UInt8] = []
  /// The fields of that head, once it is complete.
  @exclusivity(unchecked) var sentFields: HTTPFields?
  /// Whether the head begins with what is sent next; nil until the connection is open: something may be sent to a proxy
  /// before.
  @exclusivity(unchecked) var beginsHead: Bool?
  /// The certificate the server presented in this transfer's handshake.
  var shownCertificate: ShownCertificate?
  /// What went wrong in our own callbacks; libcurl knows only that they failed.
  @exclusivity(unchecked) var failure: TransportError.Fact?
  /// When a byte of the request left, a byte of the body arrived, or the head was complete.
  @exclusivity(unchecked) var lastMove: MonotonicTime
  let started: MonotonicTime
  /// When the last piece of the request was handed over.
  @exclusivity(unchecked) var sentAt: MonotonicTime?
  /// When the first line of the response arrived. In an upload, libcurl's own time for it is that of the first byte
  /// sent.
  @exclusivity(unchecked) var respondedAt: MonotonicTime?
  @exclusivity(unchecked) private var lastReport: MonotonicTime
  @exclusivity(unchecked) private var reportedCount = 0

  init(_ ticket: TransferLoop.Ticket, fieldCache: HeaderFieldCache, waiter: TransferLoop.Waiter) {
    self.ticket = ticket
    request = ticket.request
    self.fieldCache = fieldCache
    self.waiter = waiter
    started = .now
    lastMove = started
    lastReport = started
    reader = request.body.map(BodyReader.init)
  }

  /// Sets everything up and hands the transfer to libcurl.
  ///
  /// - Returns: whether it runs; if not, it is finished with an error.
  func start(in multi: UnsafeMutableRawPointer?, on handle: EasyHandle?) -> Bool {
    do throws(TransportError) {
      guard let handle else { throw TransportError(.other(reason: "out of memory")) }
      self.handle = handle
      handle.transfer = .passUnretained(self)
      try handle.goThrough(request.network, to: url.origin)
      handle.carry(errand)
      let code = curl_multi_add_handle(multi, handle.pointer)
      guard code == CURLM_OK else {
        throw TransportError(.other(reason: String(cString: curl_multi_strerror(code))))
      }
      return true
    } catch {
      release(from: nil)
      finish(.failure(error))
      return false
    }
  }

  func cancel(in multi: UnsafeMutableRawPointer?) {
    giveUp(.cancelled, in: multi)
  }

  /// When it must be over, and which limit it has passed then; nil while only libcurl's own connect limit applies.
  ///
  /// libcurl's limit for slow transfers counts whole seconds and averages, and its limit for a whole transfer keeps an
  /// HTTP/2 connection.
  var deadline: (instant: MonotonicTime, fact: TransportError.Fact)? {
    guard let end = streamEnd ?? end else { return standstill }
    if let standstill, standstill.instant < end { return standstill }
    return (end, .timeout(after: request.timeout ?? .zero))
  }

  /// When it was looked at for long enough; nil: never.
  private var streamEnd: MonotonicTime? {
    headAt.flatMap { head in request.stream?.duration.map { head + $0.bounded } }
  }

  /// When it has waited too long for the next byte.
  private var standstill: (instant: MonotonicTime, fact: TransportError.Fact)? {
    let limits = request.limits
    let isSending = reader.map { $0.position < $0.count } ?? false
    if head.isComplete || (isSending && hasSent) {
      let idle = head.isComplete && request.stream != nil ? request.timeout ?? limits.idle : limits.idle
      return (lastMove + idle.bounded, .idleTimeout(after: idle))
    }
    return !hasSent ? nil : (lastMove + limits.firstByte.bounded, .firstByteTimeout(after: limits.firstByte))
  }

  /// When all of it must be over; of a stream, its head.
  var end: MonotonicTime? {
    if request.stream != nil, head.isComplete { return nil }
    return request.timeout.map { started + $0.bounded }
  }

  /// The limit that it has passed, whatever libcurl reports as the failure.
  private var overdue: TransportError.Fact? {
    deadline.flatMap { $0.instant <= .now ? $0.fact : nil }
  }

  /// How soon it can have waited too long.
  var patience: Duration {
    let timeout = request.timeout ?? request.limits.idle
    // Not all at once: that takes an array.
    return min(min(request.limits.idle, request.limits.firstByte), min(timeout, request.stream?.duration ?? timeout))
      .bounded
  }

  /// It has waited too long.
  func expire(_ fact: TransportError.Fact, in multi: UnsafeMutableRawPointer?) {
    giveUp(fact, in: multi)
  }

  /// Its connection is not reused, although HTTP/2 would allow it: the server may still be sending, or never respond.
  private func giveUp(_ fact: TransportError.Fact, in multi: UnsafeMutableRawPointer?) {
    forbidReuse()
    let error = TransportError(fact, requestWasSent: hasSent)
    let isTimeUp = streamEnd.map { $0 <= .now } ?? false && fact != .cancelled
    let result = watched(isTimeUp ? .timeUp : .broken(error)) ?? .failure(error)
    release(from: multi)
    finish(result)
  }

  /// What came of a response that somebody looks at; nil: nobody does.
  private func watched(_ ending: ResponseEnding) -> Result<TransportResponse, TransportError>? {
    guard treatment != .kept, let easy else { return nil }
    // Certificates of earlier connections are known to the pool only.
    var certificates: [String: Certificate] = [:]
    return response(easy, ending: ending, certificates: &certificates)
  }

  private func response(
    _ easy: UnsafeMutableRawPointer, ending: ResponseEnding, certificates: inout [String: Certificate]
  ) -> Result<TransportResponse, TransportError>? {
    guard head.isComplete, let status = head.status else { return nil }
    return response(status, easy, ending: ending, certificates: &certificates)
  }

  /// - Parameter status: that of its head, which is complete.
  private func response(
    _ status: HTTPResponse.Status, _ easy: UnsafeMutableRawPointer, ending: ResponseEnding,
    certificates: inout [String: Certificate]
  ) -> Result<TransportResponse, TransportError> {
    do {
      let body = try sink.finish()
      return .success(
        TransportResponse(
          response: head.response(status, body),
          // A response may come before all of the head has left.
          sentHeaders: sentFields ?? sentHead.withUnsafeBytes { fieldCache.fields(ofHead: $0) },
          sentBodySize: reader == nil ? 0 : Int(easy.offset(CURLINFO_SIZE_UPLOAD_T)),
          timings: timings(of: easy, isOver: ending == .complete),
          connection: connectionFacts(easy, certificates: &certificates), ending: ending))
    } catch {
      return .failure(TransportError(.file(error), requestWasSent: true))
    }
  }

  /// The next request on this connection could get the rest of this response as its own.
  func forbidReuse() {
    handle?.forbidReuse()
  }

  /// Bytes of the body as they were received.
  var wireCount: Int { easy.map { Int($0.offset(CURLINFO_SIZE_DOWNLOAD_T)) } ?? 0 }

  /// libcurl is done with it.
  ///
  /// - Parameter certificates: those of the pool's connections.
  /// - Returns: its handle, which is now unused.
  func complete(
    _ code: CURLcode, in multi: UnsafeMutableRawPointer?, certificates: inout [String: Certificate]
  ) -> EasyHandle? {
    let result = result(of: code, certificates: &certificates)
    let handle = release(from: multi)
    finish(result)
    return handle
  }

  func finish(_ result: consuming Result<TransportResponse, TransportError>) {
    waiter.take()?.resume(returning: result)
  }

  /// Ten times a second is enough for people.
  ///
  /// - Parameters:
  ///   - sent: bytes of the body that have left; nil: all that will.
  ///   - now: asked for only when something moved, because it costs more than all the rest.
  func progressed(sent: Int? = nil, at now: @autoclosure () -> MonotonicTime) {
    let (sent, received) = (sent ?? reader?.count ?? 0, sink.count + passedCount)
    guard sent + received != reportedCount else { return }
    let now = now()
    guard now - lastReport >= .milliseconds(100) else { return }
    lastReport = now
    reportedCount = sent + received
    // What was announced is counted as it is received.
    ticket.progress(
      TransferProgress(sent: sent, toSend: reader?.count, received: wireCount, toReceive: head.contentLength))
  }

  /// - Returns: the handle. libcurl makes no further use of this transfer.
  @discardableResult
  private func release(from multi: UnsafeMutableRawPointer?) -> EasyHandle? {
    defer { handle = nil }
    if let multi, let easy { curl_multi_remove_handle(multi, easy) }
    handle?.listen(false)
    handle?.transfer = nil
    return handle
  }

  /// Everything specific to this request, even what it lacks: an earlier request may have had it.
  private var errand: Errand {
    Errand(
      url: url, method: request.method, bodyCount: reader?.count,
      headers: fieldCache.list(of: request.headers, omitting: request.omittedHeaders, hasBody: reader != nil),
      isAlone: request.needsFreshConnection, patience: request.limits.connect.milliseconds)
  }

  private func result(
    of code: CURLcode, certificates: inout [String: Certificate]
  ) -> Result<TransportResponse, TransportError> {
    guard let easy else { return .failure(TransportError(.cancelled)) }
    // A response that came before the whole body was sent is the response (a 403 or 413 in mid-upload).
    let isEarlyResponse =
      (code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR) && head.isComplete && failure == nil
      && head.contentLength.map { sink.count + passedCount >= $0 } ?? false
    if isEnough, let result = response(easy, ending: .enough, certificates: &certificates) { return result }
    guard code == CURLE_OK || isEarlyResponse, failure == nil, head.isComplete, let status = head.status else {
      // A connection that blocked the thread was broken off.
      let isBroken = [
        CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
      ]
      .contains(code)
      let fact = failure ?? (isBroken ? overdue : nil) ?? fact(for: code, handle: easy)
      let error = TransportError(fact, requestWasSent: hasSent)
      return watched(.broken(error)) ?? .failure(error)
    }
    if request.method != .head {
      guard !head.isEncoded || encodedBody.isWhole(after: head.fields, decodedCount: sink.count + passedCount) else {
        let error = TransportError(
          .truncated(received: wireCount, announced: head.contentLength), requestWasSent: true)
        return watched(.broken(error)) ?? .failure(error)
      }
      head.receivedBody(count: wireCount)
    }
    return response(status, easy, ending: .complete, certificates: &certificates)
  }
}

extension Transfer {
  /// libcurl's own words.
  private var errorText: String { handle.map { String(cString: $0.errorText) } ?? "" }

  private func fact(for code: CURLcode, handle: UnsafeMutableRawPointer) -> TransportError.Fact {
    switch code {
    // libcurl takes a head cut off by the end of the connection for a complete one.
    case CURLE_OK where !head.isComplete:
      .connectionLost(reason: "the connection ended in the middle of the head")
    case CURLE_PARTIAL_FILE:
      .truncated(received: wireCount, announced: head.contentLength)
    // A line longer than libcurl accepts.
    case CURLE_OUT_OF_MEMORY where hasSent && !head.isComplete:
      .tooMuch(.headBytes(limit: Int(CURL_MAX_HTTP_HEADER)))
    // A header line that libcurl's own header parser refuses.
    case CURLE_BAD_FUNCTION_ARGUMENT where hasSent:
      .malformedResponse(reason: errorText)
    default:
      TransportError.Fact(
        code, text: errorText, handle: handle, shown: shownCertificate, host: url.origin.host,
        request: request)
    }
  }

  /// - Parameter isOver: whether libcurl knows how long it took.
  private func timings(of easy: UnsafeMutableRawPointer, isOver: Bool) -> Timings {
    let total = isOver ? Duration.microseconds(easy.offset(CURLINFO_TOTAL_TIME_T)) : MonotonicTime.now - started
    // Two clocks that started slightly apart.
    let firstByte = respondedAt.map { min(total, $0 - started) } ?? total
    return Timings(
      dns: .microseconds(easy.offset(CURLINFO_NAMELOOKUP_TIME_T)),
      connect: .microseconds(easy.offset(CURLINFO_CONNECT_TIME_T)),
      tls: handle?.shakesHands ?? false ? .microseconds(easy.offset(CURLINFO_APPCONNECT_TIME_T)) : .zero,
      sent: sentAt.map { min(firstByte, $0 - started) } ?? firstByte, firstByte: firstByte, total: total)
  }
}

extension UnsafeMutableRawPointer {
  /// A figure of an easy handle.
  func offset(_ info: CURLINFO) -> curl_off_t {
    var value: curl_off_t = 0
    curl_easy_get_offset(self, info, &value)
    return value
  }
}

extension Duration {
  /// As libcurl accepts them: at least one, at most 24 days. It would refuse a longer one, and keep the previous value.
  fileprivate var milliseconds: Int { min(max(wholeMilliseconds, 1), Int(Int32.max)) }

  /// Can be added to any instant of a clock.
  fileprivate var bounded: Duration { min(self, .seconds(Int32.max)) }
}
