internal import POSIX
internal import Requests
internal import RunStore
internal import Synchronization
internal import UploaderCore

/// A connection to a server, on a thread of its own: whoever asks waits without keeping a thread busy. When it is
/// broken, the next question makes a new one.
final class ServerConnection: Sendable {
  typealias Row = [String?]

  /// One question: a statement and its values.
  private struct Question: Sendable {
    let sql: String
    let values: [String?]
    let isRepeatable: Bool
    let reply: CheckedContinuation<Result<[Row], StoreError>, Never>
  }

  private struct State {
    var questions: [Question] = []
    /// Those that wait for a notification.
    var listeners: [Int: (reply: CheckedContinuation<Bool, Never>, until: ContinuousClock.Instant)] = [:]
    var nextListener = 0

    mutating func takeListeners(
      where isChosen: (ContinuousClock.Instant) -> Bool
    ) -> [CheckedContinuation<Bool, Never>] {
      let chosen = listeners.filter { isChosen($0.value.until) }
      for number in chosen.keys { listeners[number] = nil }
      return chosen.values.map(\.reply)
    }
  }

  private let state = Mutex(State())
  private let bell: Bell

  /// - Parameter listens: whether it hears of operations that are added.
  init(_ address: ServerAddress, listens: Bool = false) throws(StoreError) {
    guard let library = LibPQ.shared else {
      throw .server("libpq is not installed: apt install libpq5, or whatever your system calls it")
    }
    if let fault = library.fault(in: address.text) { throw .address(fault) }
    guard let bell = Bell() else { throw .server("there are too many open files") }
    self.bell = bell
    let thread = ConnectionThread(address: address, listens: listens)
    let work: @Sendable () -> Void = { [weak self] in
      var wait: Duration? = .zero
      while let current = wait {
        if current > .zero, !bell.wait(current, alsoFor: thread.socket) { break }
        wait = self?.turn(thread)
      }
      thread.close()
    }
    guard SystemThread.detach(work) else { throw .server("a thread cannot be started") }
  }

  deinit {
    bell.close()
    state.withLock { state in
      for listener in state.takeListeners(where: { _ in true }) { listener.resume(returning: false) }
      for question in state.questions {
        question.reply.resume(returning: .failure(.unreachable("the connection was closed")))
      }
    }
  }

  /// Asks, and gets all rows. It is a transaction of its own.
  ///
  /// - Parameter isRepeatable: whether it does no harm to ask again when the connection turns out to be broken.
  func ask(
    _ sql: String, _ values: [String?] = [], isRepeatable: Bool = false
  ) async throws(StoreError) -> [Row] {
    let result = await withCheckedContinuation { (reply: CheckedContinuation<Result<[Row], StoreError>, Never>) in
      state.withLock {
        $0.questions.append(Question(sql: sql, values: values, isRepeatable: isRepeatable, reply: reply))
      }
      bell.ring()
    }
    return try result.get()
  }

  /// Waits for a notification, but no longer than this.
  ///
  /// - Returns: whether there was one.
  func listen(_ most: Duration) async -> Bool {
    let number = state.withLock { state in
      defer { state.nextListener += 1 }
      return state.nextListener
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { reply in
        // Cancelled before it waits: nobody would resume it.
        let waits = state.withLock { state in
          if !Task.isCancelled { state.listeners[number] = (reply, .now + most) }
          return state.listeners[number] != nil
        }
        if waits { bell.ring() } else { reply.resume(returning: false) }
      }
    } onCancel: {
      state.withLock { $0.listeners.removeValue(forKey: number) }?.reply.resume(returning: false)
    }
  }

  /// - Returns: how long to wait for the next turn.
  private func turn(_ thread: ConnectionThread) -> Duration {
    while let question = state.withLock({ $0.questions.isEmpty ? nil : $0.questions.removeFirst() }) {
      let wasConnected = thread.isConnected
      var result = thread.answer(question.sql, question.values)
      if question.isRepeatable, wasConnected, !thread.isConnected {
        result = thread.answer(question.sql, question.values)
      }
      question.reply.resume(returning: result)
    }
    let isTold = thread.hearNotifications()
    let now = ContinuousClock.now
    let (ended, next) = state.withLock { state in
      (state.takeListeners { isTold || $0 <= now }, state.listeners.values.map(\.until).min())
    }
    for listener in ended { listener.resume(returning: isTold) }
    return max(next.map { $0 - now } ?? .seconds(60), .milliseconds(1))
  }
}

/// What only the thread of a connection touches.
final class ConnectionThread: Sendable {
  /// libpq's connection, as a number; 0: there is none.
  private let handle = Atomic<UInt>(0)
  private let address: ServerAddress
  private let listens: Bool
  /// What the server says may contain what it was told.
  private let redactor = Mutex(Redactor([]))

  init(address: ServerAddress, listens: Bool) {
    self.address = address
    self.listens = listens
  }

  private var connection: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: handle.load(ordering: .relaxed))
  }

  var isConnected: Bool { connection != nil }

  /// -1: there is none.
  var socket: Int32 {
    guard listens, let connection, let library = LibPQ.shared else { return -1 }
    return library.socket(connection)
  }

  func close() {
    guard let connection, let library = LibPQ.shared else { return }
    library.finish(connection)
    handle.store(0, ordering: .relaxed)
  }

  private func connected(_ library: LibPQ) throws(StoreError) -> UnsafeMutableRawPointer {
    if let connection { return connection }
    let pairs = [("dbname", address.text)] + address.settings.sorted { $0.key < $1.key }
    let names = pairs.map { strdup($0.0) }
    let values = pairs.map { strdup($0.1) }
    defer { for text in names + values { free(text) } }
    let nameList = names.map { $0.map { UnsafePointer($0) } } + [nil]
    let valueList = values.map { $0.map { UnsafePointer($0) } } + [nil]
    guard let made = library.connect(nameList, valueList, 1) else { throw .unreachable("there is no memory") }
    if let password = library.password(made).map({ String(cString: $0) }), !password.isEmpty {
      redactor.withLock { $0 = Redactor([Secret(password, name: "PGPASSWORD", for: [])]) }
    }
    guard library.status(made) == 0 else {
      let reason = library.errorMessage(made).map { String(cString: $0) } ?? ""
      library.finish(made)
      throw .unreachable(sentence(reason))
    }
    _ = library.setNotice(made, { _, _ in }, nil)
    handle.store(UInt(bitPattern: made), ordering: .relaxed)
    if listens { _ = answer("LISTEN workbench_operations", []) }
    return made
  }

  func answer(_ sql: String, _ values: [String?]) -> Result<[ServerConnection.Row], StoreError> {
    guard let library = LibPQ.shared else { return .failure(.server("libpq is not installed")) }
    do throws(StoreError) {
      let connection = try connected(library)
      let texts = values.map { $0.map { strdup($0) } ?? nil }
      defer { for text in texts { free(text) } }
      let list = texts.map { $0.map { UnsafePointer($0) } }
      let result = library.execute(connection, sql, Int32(values.count), nil, list, nil, nil, 0)
      defer { library.clear(result) }
      switch library.resultStatus(result) {
      // PGRES_COMMAND_OK, PGRES_TUPLES_OK
      case 1, 2: return .success(Self.rows(of: result, library))
      default:
        let code = library.resultField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        let reason = library.resultField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        if library.status(connection) != 0 || code.isEmpty { close() }
        return .failure(error(code, reason ?? "the connection was lost"))
      }
    } catch {
      return .failure(error)
    }
  }

  private static func rows(of result: UnsafeMutableRawPointer?, _ library: LibPQ) -> [ServerConnection.Row] {
    let columns = library.columnCount(result)
    return (0..<library.rowCount(result)).map { row in
      (0..<columns).map { column in
        if library.isNull(result, row, column) == 1 { return nil }
        return library.value(result, row, column).map { String(cString: $0) }
      }
    }
  }

  private func error(_ code: String, _ reason: String) -> StoreError {
    switch code {
    case "WB001": .leaseLost(Int(reason) ?? 0)
    case "WB002": .busyOperation(Int(reason) ?? 0)
    case "WB003": .noSuchOperation(reason)
    case "3F000", "42P01", "42883":
      .server("the database has no queue, or one of an earlier program: workbench queue migrate makes it")
    case "", "57P01", "57P02", "57P03", "53300", "40001", "40P01": .unreachable(sentence(reason))
    default: code.hasPrefix("08") ? .unreachable(sentence(reason)) : .server(sentence(reason))
    }
  }

  private func sentence(_ reason: String) -> String {
    redactor.withLock { $0 }.redact(reason.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// Whether there was any.
  func hearNotifications() -> Bool {
    guard listens, let connection, let library = LibPQ.shared else { return false }
    guard library.consume(connection) == 1 else {
      close()
      return false
    }
    var isTold = false
    while let notification = library.notifies(connection) {
      library.free(notification)
      isTold = true
    }
    return isTold
  }
}
