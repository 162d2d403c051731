internal import UploaderCore

/// The pools of a thread. Request after request mostly has the same one, and to find it by its name takes longer than to
/// see that.
struct ConnectionPools {
  private var pools: [ConnectionPool.Name: ConnectionPool] = [:]
  private var latest: (name: ConnectionPool.Name, pool: ConnectionPool)?

  var all: Dictionary<ConnectionPool.Name, ConnectionPool>.Values { pools.values }

  /// The pool whose connections the request may use, which is made if there is none.
  mutating func pool(for request: TransportRequest, _ watchdog: Watchdog) -> ConnectionPool {
    let name = ConnectionPool.Name(request)
    if let latest, latest.name == name { return latest.pool }
    let pool = pools[name] ?? ConnectionPool(watchdog)
    pools[name] = pool
    latest = (name, pool)
    return pool
  }
}
