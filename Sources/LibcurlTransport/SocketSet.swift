internal import CCurl
internal import POSIX
internal import Requests

/// What a thread waits for: the sockets of all its pools, and its waker.
struct SocketSet {
  private let waker: Waker
  private var sockets: [pollfd] = []
  private var isReady = false

  init(waker: Waker) {
    self.waker = waker
  }

  /// Waits until there is something to do.
  mutating func wait(for pools: [ConnectionPool], atMost pause: Duration) {
    sockets.removeAll(keepingCapacity: true)
    sockets.append(pollfd(fd: waker.socket, events: Int16(POLLIN), revents: 0))
    for pool in pools { sockets += pool.sockets }
    // Rounded up, so that anything due is due by then.
    let milliseconds = pause <= .zero ? 0 : Int32(min(pause.wholeMilliseconds, Int(Int32.max) - 1) + 1)
    isReady = poll(&sockets, nfds_t(sockets.count), milliseconds) > 0
  }

  /// Notifies each pool of what its sockets are ready for; they are the ones that were waited for.
  func act(on pools: [ConnectionPool]) {
    guard isReady else { return }
    if sockets[0].revents != 0 { waker.drain() }
    var first = 1
    for pool in pools {
      let count = pool.sockets.count
      for socket in sockets[first..<first + count] where socket.revents != 0 { pool.act(on: socket) }
      first += count
    }
  }
}
