internal import CCurl
internal import HTTPTypes
internal import Requests
internal import UploaderCore

extension EasyHandle {
  /// libcurl calls back into the transfer that has the handle at the time. It asks the handle for it, so this is set once.
  func setCallbacks() {
    // SAFETY: the handle is cleaned up before this object is gone, and libcurl makes no call after that.
    let context = Unmanaged.passUnretained(self).toOpaque()

    curl_easy_set_pointer(pointer, CURLOPT_READDATA, context)
    curl_easy_set_transfer(pointer, CURLOPT_READFUNCTION) { buffer, size, count, context in
      let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
      return EasyHandle.outside(context) { $0.read(into: bytes) }
    }
    curl_easy_set_pointer(pointer, CURLOPT_SEEKDATA, context)
    curl_easy_set_seek(pointer) { context, offset, origin in
      EasyHandle.transfer(context, else: CURL_SEEKFUNC_CANTSEEK) { $0.seek(to: offset, origin: origin) }
    }
    curl_easy_set_pointer(pointer, CURLOPT_HEADERDATA, context)
    curl_easy_set_transfer(pointer, CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
      let line = UnsafeRawBufferPointer(start: buffer, count: size * count)
      return EasyHandle.outside(context) { $0.receiveHeader(line) }
    }
    curl_easy_set_pointer(pointer, CURLOPT_WRITEDATA, context)
    curl_easy_set_transfer(pointer, CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
      let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
      return EasyHandle.outside(context) { $0.receiveBody(bytes) }
    }
    curl_easy_set_pointer(pointer, CURLOPT_XFERINFODATA, context)
    curl_easy_set_progress(pointer) { context, _, _, _, sent in
      EasyHandle.transfer(context, else: ()) { $0.progressed(sent: Int(sent), at: .now) }
      return 0
    }
    curl_easy_set_pointer(pointer, CURLOPT_PREREQDATA, context)
    curl_easy_set_prerequest(pointer) { context, _, _, _, _ in
      EasyHandle.transfer(context, else: Int32(CURL_PREREQFUNC_ABORT)) { $0.prepareToSend() }
    }
    curl_easy_set_pointer(pointer, CURLOPT_DEBUGDATA, context)
    curl_easy_set_debug(pointer) { _, kind, bytes, count, context in
      EasyHandle.transfer(context, else: ()) { $0.observe(kind, UnsafeRawBufferPointer(start: bytes, count: count)) }
      return 0
    }
  }

  /// Calls the transfer that has the handle; between two transfers there is none.
  private static func transfer<Result>(
    _ context: UnsafeMutableRawPointer?, else none: Result, _ call: (Transfer) -> Result
  ) -> Result {
    guard let context else { return none }
    return Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
      handle.transfer?._withUnsafeGuaranteedRef(call) ?? none
    }
  }

  /// The same for what takes time that is not libcurl's.
  private static func outside(_ context: UnsafeMutableRawPointer?, _ call: (Transfer) -> Int) -> Int {
    guard let context else { return 0 }
    return Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
      guard let transfer = handle.transfer else { return 0 }
      return handle.watchdog.outside { transfer._withUnsafeGuaranteedRef(call) }
    }
  }
}

/// What libcurl's callbacks do.
extension Transfer {
  fileprivate func observe(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    if kind == CURLINFO_HEADER_OUT { sent(head: bytes) }
    if kind == CURLINFO_SSL_DATA_IN, let certificate = ShownCertificate(message: bytes) {
      shownCertificate = certificate
    }
    if kind == CURLINFO_DATA_IN { encodedBody.receive(bytes) }
  }

  fileprivate func prepareToSend() -> Int32 {
    // libcurl starts over on its own if a server refuses a stream (RFC 9113 §8.7) or asks for HTTP/1.1: what must not
    // happen twice is not sent twice, whoever says that it did not happen.
    if request.needsFreshConnection, beginsHead != nil {
      failure = .connectionLost(reason: "the server refused the request's stream, and it must not be sent twice")
      return Int32(CURL_PREREQFUNC_ABORT)
    }
    do throws(TransportError) {
      try ticket.beforeFirstByte?()
      handle?.listen(true)
      // libcurl may have begun earlier, on a connection that the server was closing.
      beginsHead = true
      return Int32(CURL_PREREQFUNC_OK)
    } catch {
      failure = error.fact
      return Int32(CURL_PREREQFUNC_ABORT)
    }
  }

  private func sent(head bytes: UnsafeRawBufferPointer) {
    guard let begins = beginsHead else { return }
    hasSent = true
    if begins, bytes.endsInEmptyLine {
      // Mostly it leaves in one piece.
      sentFields = fieldCache.fields(ofHead: bytes)
    } else {
      if begins { (sentHead, sentFields) = ([], nil) }
      sentHead += bytes
      sentHead.withUnsafeBytes { if $0.endsInEmptyLine { sentFields = fieldCache.fields(ofHead: $0) } }
    }
    beginsHead = sentFields != nil
    if sentFields != nil { handle?.listen(false) }
    lastMove = .now
    sentAt = lastMove
  }

  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    lastMove = .now
    sentAt = lastMove
    do {
      return try reader?.read(into: buffer) ?? 0
    } catch {
      failure = .file(error)
      return Int(CURL_READFUNC_ABORT)
    }
  }

  fileprivate func seek(to offset: curl_off_t, origin: Int32) -> Int32 {
    guard origin == SEEK_SET, offset == 0, let body = reader?.segments else { return CURL_SEEKFUNC_CANTSEEK }
    reader = BodyReader(body)
    return CURL_SEEKFUNC_OK
  }

  fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    // Whatever an interim response said, the last one counts.
    if line.isStatusLine { respondedAt = .now }
    do {
      try head.receive(line, to: request, known: fieldCache)
    } catch {
      failure = .tooMuch(error)
      return 0
    }
    if head.isComplete {
      lastMove = .now
      if headAt == nil { beginBody() }
      if head.isEncoded { handle?.listen(true) }
      if !head.warnings.isEmpty { forbidReuse() }
    }
    return line.count
  }

  private func beginBody() {
    headAt = lastMove
    guard let watcher = ticket.watcher, let status = head.status else { return }
    treatment = watcher.begin(status, as: head.streamKind) { head.response(status) }
  }

  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastMove = .now
    if let excess = excess(after: bytes.count) {
      failure = .tooMuch(excess)
      return 0
    }
    do {
      switch treatment {
      case .kept: try sink.write(bytes)
      case .watched:
        try sink.write(bytes)
        tell(Array(bytes))
      case .passedOn(let limit) where passedCount == 0 && sink.count + bytes.count <= limit: try sink.write(bytes)
      case .passedOn:
        passedCount += sink.count + bytes.count
        tell(sink.drain() + bytes)
      }
      progressed(at: lastMove)
      return isEnough ? 0 : bytes.count
    } catch {
      failure = .file(error)
      return 0
    }
  }

  /// The watcher may wait for somebody who reads: that is not the server's silence.
  private func tell(_ piece: [UInt8]) {
    isEnough = ticket.watcher.map { !$0.receive(piece) } ?? false
    lastMove = .now
  }

  /// Decoded bytes are counted here: libcurl's own limit covers neither chunked nor compressed ones.
  private func excess(after count: Int) -> TransferLimits.Excess? {
    let limits = request.limits
    let decoded = sink.count + passedCount + count
    if decoded > limits.bodyBytes { return .bodyBytes(limit: limits.bodyBytes) }
    if passedCount == 0, let excess = sink.excess(after: count) { return excess }
    guard decoded > TransferLimits.ratioFloor else { return nil }
    // A few bytes may expand a lot.
    return decoded / (max(wireCount, encodedBody.count) + 16 * 1024) >= limits.ratio
      ? .ratio(limit: limits.ratio) : nil
  }
}
