internal import POSIX
internal import Synchronization

/// Ends a connection that keeps libcurl inside one call: with frames that carry nothing and never end. Time limits and
/// interrupts are checked between the calls.
///
/// It has a thread of its own, which checks ten times a second while there are transfers and sleeps otherwise.
final class Watchdog: Sendable {
  private struct Entry {
    let ticket: TransferLoop.Ticket
    let deadline: MonotonicTime?
  }

  /// The transfers in progress, each at the place that its ticket knows.
  private struct Entries {
    private(set) var all: [Entry] = []

    mutating func insert(_ entry: Entry) {
      entry.ticket.place.store(all.count, ordering: .relaxed)
      all.append(entry)
    }

    mutating func remove(_ ticket: TransferLoop.Ticket) {
      let place = ticket.place.load(ordering: .relaxed)
      guard all.indices.contains(place), all[place].ticket === ticket, let last = all.popLast() else { return }
      guard place < all.count else { return }
      last.ticket.place.store(place, ordering: .relaxed)
      all[place] = last
    }
  }

  private struct State {
    var transfers = Entries()
    /// Those that libcurl has open, each with its pool.
    var sockets: [Int32: ObjectIdentifier] = [:]
    var isAsleep = false
    var isOver = false
  }

  private let state = Mutex(State())
  /// Odd while the thread is inside libcurl; it changes with each call, and after each callback.
  private let turn = Atomic(0)
  /// Odd during a call, callbacks included; it changes with each call.
  private let call = Atomic(0)
  /// Which socket the call is about; -1: any.
  private let socket = Atomic<Int32>(-1)
  private let pool = Atomic<UInt>(0)
  private let waker = Waker()
  private let isWanted: @Sendable () -> Bool

  /// In milliseconds.
  private static let tick: Int32 = 100
  /// A call that has lasted this many ticks without any progress is of no use to anyone: if a transfer is overdue, if
  /// others wait, or in any case.
  private static let due = 2
  /// The same for a call that makes progress now and then; it may be another transfer that is doing well.
  private static let busy = 5
  private static let short = 4
  private static let long = 20

  /// - Parameter isWanted: whether somebody waits for the thread.
  init(isWanted: @escaping @Sendable () -> Bool) {
    self.isWanted = isWanted
    _ = SystemThread.detach { self.run() }
  }

  func stop() {
    state.withLock { $0.isOver = true }
    waker.wake()
  }

  // MARK: Called by the thread that is watched

  func begins(_ ticket: TransferLoop.Ticket, until deadline: MonotonicTime?) {
    let mustWake = state.withLock { state in
      state.transfers.insert(Entry(ticket: ticket, deadline: deadline))
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if mustWake { waker.wake() }
  }

  func ended(_ ticket: TransferLoop.Ticket) {
    state.withLock { $0.transfers.remove(ticket) }
  }

  func opened(_ socket: Int32, in pool: ConnectionPool) {
    state.withLock { $0.sockets[socket] = ObjectIdentifier(pool) }
  }

  /// Closes it: under the lock, because another socket may get its number right after.
  func closes(_ socket: Int32) -> Int32 {
    state.withLock { state in
      state.sockets[socket] = nil
      return close(socket)
    }
  }

  /// Does what may keep the thread inside libcurl.
  func watching(_ socket: Int32, in pool: ConnectionPool, _ call: () -> Void) {
    self.socket.store(socket, ordering: .relaxed)
    self.pool.store(UInt(bitPattern: ObjectIdentifier(pool)), ordering: .relaxed)
    self.call.advance()
    turn.advance()
    call()
    turn.advance()
    self.call.advance()
  }

  /// libcurl calls back: the time this takes is not libcurl's.
  func outside<Result>(_ work: () -> Result) -> Result {
    turn.advance()
    defer { turn.advance() }
    return work()
  }

  // MARK: On its own thread

  private func run() {
    var (last, idle) = (Sample(call: 0, turn: 0), 0)
    var stay = Stay()
    while true {
      let (isOver, sleeps) = state.withLock { state in
        idle = state.transfers.all.isEmpty ? idle + 1 : 0
        state.isAsleep = idle > Self.short
        return (state.isOver, state.isAsleep)
      }
      if isOver { return }
      var entry = pollfd(fd: waker.socket, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, sleeps ? -1 : Self.tick) > 0 { waker.drain() }
      let now = sample
      stay.goOn(from: last, to: now)
      last = now
      if stay.quiet >= Self.due || stay.whole >= Self.busy { bite(in: now, after: stay) }
    }
  }

  /// Where the thread is.
  private struct Sample: Equatable {
    var call: Int
    var turn: Int
  }

  private var sample: Sample {
    Sample(call: call.load(ordering: .acquiring), turn: turn.load(ordering: .acquiring))
  }

  /// For how many ticks the thread has been inside libcurl.
  private struct Stay {
    /// Without any progress.
    var quiet = 0
    /// In the same call; the time in callbacks does not count.
    var whole = 0

    mutating func goOn(from last: Sample, to now: Sample) {
      let isInside = now.turn & 1 == 1
      quiet = isInside && now.turn == last.turn ? quiet + 1 : 0
      whole = now.call & 1 == 1 && now.call == last.call ? whole + (isInside ? 1 : 0) : 0
    }
  }

  private func bite(in place: Sample, after stay: Stay) {
    let isWanted = stay.quiet >= Self.long || (stay.quiet >= Self.short && isWanted())
    let now = MonotonicTime.now
    state.withLock { state in
      let isDue = state.transfers.all.contains { entry in
        entry.ticket.wasCancelled || entry.deadline.map { $0 <= now } ?? false
      }
      let othersWait = stay.quiet >= Self.short && state.transfers.all.count > 1
      let now = sample
      guard now == place && (isWanted || othersWait) || now.call == place.call && isDue else { return }
      let socket = socket.load(ordering: .relaxed)
      if state.sockets[socket] != nil {
        shutdown(socket, Int32(SHUT_RDWR))
      } else {
        // libcurl does what was due, on any connection of the pool.
        let pool = pool.load(ordering: .relaxed)
        for (socket, owner) in state.sockets where UInt(bitPattern: owner) == pool {
          shutdown(socket, Int32(SHUT_RDWR))
        }
      }
    }
  }
}

extension Atomic<Int> {
  /// Adds one, of the only thread that writes it: the others wait for no lock of the bus, and nor does this one.
  fileprivate borrowing func advance() { store(load(ordering: .relaxed) &+ 1, ordering: .releasing) }
}
