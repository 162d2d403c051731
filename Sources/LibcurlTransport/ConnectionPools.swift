internal import UploaderCore

/// The pools of a thread. There are as many as profiles, so that to go through them takes no longer than to look one up in
/// a table.
struct ConnectionPools {
  private(set) var all: [ConnectionPool] = []

  /// The pool whose connections the request may use, which is made if there is none.
  mutating func pool(for request: TransportRequest, _ watchdog: Watchdog) -> ConnectionPool {
    let name = ConnectionPool.Name(request)
    if let pool = all.first(where: { $0.name == name }) { return pool }
    let pool = ConnectionPool(name, watchdog)
    all.append(pool)
    return pool
  }
}
