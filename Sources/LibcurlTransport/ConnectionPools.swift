internal import Requests
internal import UploaderCore

/// The pools of a thread. There are few for each profile, so that to go through them takes no longer than to look one up in
/// a table.
struct ConnectionPools {
  private(set) var all: [ConnectionPool] = []

  /// With this many transfers a pool is full, where each has a connection to itself: for a new one libcurl goes through all
  /// connections until one is not in use.
  private static let width = 16
  /// The most pools of one name, however full they are: each has addresses and two sockets of its own.
  private static let limit = 4

  /// The pool whose connections the transfer may use, which is made if there is none.
  mutating func pool(for ticket: TransferLoop.Ticket, _ watchdog: Watchdog) -> ConnectionPool {
    let name = ConnectionPool.Name(ticket.request)
    if let pool = all.first(where: { $0.count < Self.width && $0.name == name }) { return pool }
    let own = all.filter { $0.name == name }
    if own.count >= (ticket.mayShareConnection ? 1 : Self.limit), let pool = own.min(by: { $0.count < $1.count }) {
      return pool
    }
    let pool = ConnectionPool(name, watchdog)
    all.append(pool)
    return pool
  }
}

extension TransferLoop.Ticket {
  /// Whether its connection may serve several transfers at once, as HTTP/2 does.
  fileprivate var mayShareConnection: Bool { url.origin.scheme == .https || request.network.version == .http2 }
}
