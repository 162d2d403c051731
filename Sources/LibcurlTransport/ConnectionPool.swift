internal import CCurl
internal import POSIX
internal import Requests
internal import UploaderCore

/// Connections of one profile and the transfers that run on them. It is used on its loop's thread only.
//
// SAFETY: what changes with each request is not checked for exclusive access. libcurl calls back into a pool only to say
// what it waits for, and that while none of these is being changed.
final class ConnectionPool {
  /// Identifies the owner of the connections. libcurl itself distinguishes connections by the certificate's file, but
  /// not by what decrypted the key.
  struct Name: Equatable {
    private let profile: String
    private let passphrase: Secret?

    init(_ request: TransportRequest) {
      profile = request.connections
      passphrase = request.network.tls.passphrase
    }
  }

  let name: Name
  /// libcurl's; nil when there was no memory for it.
  private let multi: UnsafeMutableRawPointer?
  /// The addresses of its hosts. libcurl looks through all places of this table after each transfer, and one that is shared
  /// has a third as many.
  private let addresses = curl_share_init()
  /// Those in progress, each at the place that it knows.
  @exclusivity(unchecked) private var transfers: [Transfer] = []
  /// How many are in progress.
  var count: Int { transfers.count }
  /// Whether any was added that has not begun.
  @exclusivity(unchecked) private var hasNew = false
  /// Handles whose transfer succeeded: only transfers of the same profile get them.
  @exclusivity(unchecked) private var spares: [EasyHandle] = []
  /// How many transfers there were at once. As many connections are kept: libcurl itself keeps four times as many as there
  /// are transfers at the moment, and so would close most of them whenever many end together.
  private var most = 0
  /// The certificates that open connections were presented when they were made.
  @exclusivity(unchecked) private var certificates: [String: Certificate] = [:]
  private let fieldCache = HeaderFieldCache()
  /// The sockets libcurl waits for.
  @exclusivity(unchecked) private(set) var sockets: [pollfd] = []
  /// When libcurl wants to be called, whatever the sockets do.
  @exclusivity(unchecked) private var alarm: MonotonicTime?
  /// Before this time no transfer has waited too long.
  @exclusivity(unchecked) private var nextDeadline: MonotonicTime?

  private let watchdog: Watchdog

  init(_ name: Name, _ watchdog: Watchdog) {
    self.name = name
    self.watchdog = watchdog
    multi = curl_multi_init()
    curl_share_set_long(addresses, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_DNS.rawValue))
    // SAFETY: libcurl calls back only during calls made here, while the pool exists.
    let context = Unmanaged.passUnretained(self).toOpaque()
    curl_multi_set_socket(multi, context) { _, socket, wish, context, _ in
      ConnectionPool.withPool(context) { $0.watch(socket, for: wish) }
      return 0
    }
    curl_multi_set_timer(multi, context) { _, milliseconds, context in
      ConnectionPool.withPool(context) { $0.alarm = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds) }
      return 0
    }
  }

  deinit {
    close()
    spares = []
    curl_multi_cleanup(multi)
    curl_share_cleanup(addresses)
  }

  /// It runs from the next ``begin()`` on.
  func add(_ ticket: TransferLoop.Ticket, for waiter: TransferLoop.Waiter) {
    let transfer = Transfer(ticket, fieldCache: fieldCache, waiter: waiter)
    let handle = spares.popLast() ?? EasyHandle(watchdog) { [unowned self] in adopt($0) }
    guard transfer.start(in: multi, on: handle) else { return }
    watchdog.begins(ticket, until: transfer.end)
    transfer.place = transfers.count
    transfers.append(transfer)
    if transfers.count > most {
      most = transfers.count
      curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 4 * most)
    }
    let patience = transfer.started + transfer.patience
    nextDeadline = min(nextDeadline ?? patience, patience)
    hasNew = true
  }

  /// Begins what was added, all in one call of libcurl.
  func begin() {
    guard hasNew else { return }
    hasNew = false
    advance(CURL_SOCKET_TIMEOUT, 0)
  }

  func cancel(_ ticket: TransferLoop.Ticket) {
    guard let transfer = transfers.first(where: { $0.ticket === ticket }) else { return }
    remove(transfer)
    transfer.cancel(in: multi)
  }

  /// It is over.
  private func remove(_ transfer: Transfer) {
    watchdog.ended(transfer.ticket)
    guard let last = transfers.popLast(), last !== transfer else { return }
    last.place = transfer.place
    transfers[transfer.place] = last
  }

  /// Ends all transfers as cancelled.
  func close() {
    while let transfer = transfers.last {
      remove(transfer)
      transfer.cancel(in: multi)
    }
  }

  /// How long there is nothing to do here except what the sockets ask for.
  var pause: Duration {
    guard let next = alarm.flatMap({ alarm in nextDeadline.map { min(alarm, $0) } ?? alarm }) ?? nextDeadline else {
      return .seconds(60)
    }
    return max(.zero, next - .now)
  }

  /// A socket is ready.
  func act(on socket: pollfd) {
    let events = Int32(socket.revents)
    var ready: Int32 = 0
    if events & (POLLIN | POLLHUP) != 0 { ready |= CURL_CSELECT_IN }
    if events & POLLOUT != 0 { ready |= CURL_CSELECT_OUT }
    if events & (POLLERR | POLLNVAL) != 0 { ready |= CURL_CSELECT_ERR }
    advance(socket.fd, ready)
  }

  /// Does what is due, and ends the transfers that have waited too long.
  func expire() {
    let now = MonotonicTime.now
    if let alarm, alarm <= now {
      self.alarm = nil
      advance(CURL_SOCKET_TIMEOUT, 0)
    }
    guard let nextDeadline, nextDeadline <= now else { return }
    var next: MonotonicTime?
    for transfer in transfers {
      let deadline = transfer.deadline
      if let deadline, deadline.instant <= now {
        remove(transfer)
        transfer.expire(deadline.fact, in: multi)
      } else {
        let patience = now + transfer.patience
        next = min(next ?? patience, deadline?.instant ?? patience, patience)
      }
    }
    self.nextDeadline = next
  }

  private func advance(_ socket: curl_socket_t, _ events: Int32) {
    var running: Int32 = 0
    watchdog.watching(socket, in: self) { curl_multi_socket_action(multi, socket, events, &running) }
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      let result = curl_message_result(message)
      guard let transfer = curl_message_handle(message).flatMap(EasyHandle.transfer(of:)) else { continue }
      remove(transfer)
      if result != CURLE_OK, transfer.ticket.wasCancelled {
        transfer.cancel(in: multi)
        continue
      }
      let spare = transfer.complete(result, in: multi, certificates: &certificates)
      if result == CURLE_OK, let spare, spares.count < 64 { spares.append(spare) }
    }
  }

  /// Observes the handle's connections, and lets it know the addresses.
  private func adopt(_ handle: UnsafeMutableRawPointer) {
    curl_easy_set_pointer(handle, CURLOPT_SHARE, addresses)
    // SAFETY: every connection is closed at the latest when the pool is cleaned up.
    let context = Unmanaged.passUnretained(self).toOpaque()
    curl_easy_set_socket_opened(handle, context) { context, socket, _ in
      ConnectionPool.withPool(context) { $0.watchdog.opened(socket, in: $0) }
      return CURL_SOCKOPT_OK
    }
    curl_easy_set_socket_closing(handle, context) { context, socket in
      ConnectionPool.withPool(context) { $0.watchdog.closes(socket) }
    }
  }

  private func watch(_ socket: curl_socket_t, for wish: Int32) {
    let index = sockets.firstIndex { $0.fd == socket }
    if wish == CURL_POLL_REMOVE {
      if let index { sockets.remove(at: index) }
      return
    }
    var events: Int32 = 0
    if wish & CURL_POLL_IN != 0 { events |= POLLIN }
    if wish & CURL_POLL_OUT != 0 { events |= POLLOUT }
    let entry = pollfd(fd: socket, events: Int16(events), revents: 0)
    if let index { sockets[index] = entry } else { sockets.append(entry) }
  }

  /// Lends the pool to a callback, which need not retain it.
  private static func withPool<Result>(
    _ context: UnsafeMutableRawPointer?, _ call: (ConnectionPool) -> Result
  ) -> Result {
    guard let context else { preconditionFailure("libcurl called back without its context") }
    return Unmanaged<ConnectionPool>.fromOpaque(context)._withUnsafeGuaranteedRef(call)
  }
}
