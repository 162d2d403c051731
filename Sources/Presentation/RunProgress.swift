internal import HTTPTypes
internal import Requests
public import UploaderCore

/// The progress of a run: steps, parts, bytes, rate and remaining time, in one line.
///
/// `upload  3 steps done  part 5 of 13  41%  12 MB of 29 MB  18.2 MB/s  0:14 left`
public struct RunProgress: Sendable {
  private struct Active {
    let head: RequestHead
    let origin: Origin
    /// The file that it is a slice of, with the slice's size in bytes.
    let slice: (path: String, size: Int)?
    let began: Duration
    var progress = TransferProgress()

    var name: String { head.label ?? "\(head.method.rawValue) \(origin.authority)" }

    /// Whether everything was sent and nothing has come yet. Of a slice, how much of its file was sent is news.
    var isWaiting: Bool { slice == nil && progress.received == 0 && progress.sent >= (progress.toSend ?? 0) }

    /// Whether nothing is left to come.
    var isComplete: Bool { progress.toReceive.map { $0 > 0 && progress.received >= $0 } ?? false }
  }

  private struct File {
    let size: Int
    var done = 0
  }

  private var began: Duration?
  private var steps = 0
  private var active: [StepPosition: Active] = [:]
  /// How many children each group has, and the latest one that has begun.
  private var parts: [[Int]: (count: Int, latest: Int)] = [:]
  private var files: [String: File] = [:]
  /// The bytes moved by transfers that are over.
  private var moved = 0

  public init() {}

  /// Notes what happens.
  ///
  /// - Parameter now: on the same clock as for `line`.
  public mutating func observe(_ event: UploadEvent, now: Duration) {
    switch event {
    case .sending(let prepared, let position):
      began = began ?? now
      begin(prepared.description, to: prepared.origin, at: position, now: now)
    case .progress(_, let progress, let position):
      active[position]?.progress = progress
    case .recalled(let exchange, let position):
      begin(exchange.description, to: exchange.request.origin, at: position, now: now)
    case .group(let children, let position):
      if children > 1 { parts[position.indices] = (children, 0) }
    case .step(let record, let position):
      end(record, at: position)
    case .asked, .secrets, .retrying, .redirected, .received: break
    }
  }

  private mutating func begin(
    _ description: RequestDescription, to origin: Origin, at position: StepPosition, now: Duration
  ) {
    var slice: (path: String, size: Int)?
    if case .stream(let stream) = description {
      slice = (stream.file.path, stream.file.count)
      if files[stream.file.path] == nil { files[stream.file.path] = File(size: stream.file.identity.size) }
    }
    // What is sent again, or continued, goes on waiting.
    let earlier = active[position]
    if slice == nil, let earlier { moved += earlier.progress.sent + earlier.progress.received }
    active[position] = Active(head: description.head, origin: origin, slice: slice, began: earlier?.began ?? now)
    guard !parts.isEmpty else { return }
    parts = parts.filter { !Self.isOver($0.key, at: position.indices) }
    for depth in stride(from: 1, to: position.indices.count - 1, by: 2) {
      let group = Array(position.indices[..<depth])
      if let part = parts[group] { parts[group]?.latest = max(part.latest, position.indices[depth] + 1) }
    }
  }

  private mutating func end(_ record: StepRecord, at position: StepPosition) {
    let transfer = active.removeValue(forKey: position)
    guard record.exchange != nil, !record.isFailed, let transfer else { return }
    if case .round = record {} else { steps += 1 }
    // A quick transfer may have reported no progress.
    moved += max(transfer.progress.sent, transfer.slice?.size ?? 0) + transfer.progress.received
    if let slice = transfer.slice { files[slice.path]?.done += slice.size }
  }

  /// Whether the step comes after the group in the block that the group is a step of.
  private static func isOver(_ group: [Int], at step: [Int]) -> Bool {
    let last = group.count - 1
    return step.count > last && step[..<last] == group[..<last] && step[last] > group[last]
  }

  /// The line; nil while there is nothing worth showing: in the first half second, and when nothing is under way or
  /// left to come.
  ///
  /// - Parameter isNamed: whether a line that says nothing but what is under way is worth showing, as on a terminal.
  public func line(now: Duration, isNamed: Bool = true) -> String? {
    guard let began, now - began >= .milliseconds(500), let first = active.min(by: { $0.key < $1.key }),
      !active.values.allSatisfy(\.isComplete)
    else { return nil }
    var words = [active.count == 1 ? first.value.name : "\(active.count) at once"]
    if steps > 0 { words.append("\(steps) \(steps == 1 ? "step" : "steps") done") }
    if let part = parts.max(by: { $0.key.count < $1.key.count })?.value, part.latest > 0 {
      words.append("part \(part.latest) of \(part.count)")
    }
    let waited = now - (active.values.map(\.began).max() ?? now)
    if waited >= .seconds(2), active.values.allSatisfy(\.isWaiting) {
      words.append("no response after \(waited.components.seconds) s")
    } else {
      words += bytes(after: Double((now - began) / .milliseconds(1)) / 1_000)
    }
    return words.count > 1 || isNamed ? words.joined(separator: "  ") : nil
  }

  private func bytes(after seconds: Double) -> [String] {
    let sent = active.values.reduce(0) { $0 + $1.progress.sent + $1.progress.received }
    let rate = Double(moved + sent) / seconds
    guard rate > 0 else { return [] }
    var words: [String] = []
    let (done, total) = amount
    if let total, total > 0, done <= total {
      words.append("\(Int(Double(done) / Double(total) * 100))%")
      words.append("\(NumberFormat.bytes(done)) of \(NumberFormat.bytes(total))")
    } else {
      words.append(NumberFormat.bytes(moved + sent))
    }
    words.append("\(NumberFormat.bytes(Int(min(rate, 1e15))))/s")
    if let total, done < total { words.append("\(Self.clock(Double(total - done) / rate)) left") }
    return words
  }

  /// The amount under way: whole files, or bodies; nil for a body of unknown length.
  private var amount: (done: Int, total: Int?) {
    let paths = Set(active.values.compactMap { $0.slice?.path })
    var done = 0
    var total: Int? = 0
    for path in paths {
      guard let file = files[path] else { continue }
      done += file.done
      total = total.map { $0 + file.size }
    }
    for transfer in active.values {
      let progress = transfer.progress
      if transfer.slice != nil {
        done += progress.sent
      } else if let toSend = progress.toSend, progress.sent < toSend {
        done += progress.sent
        total = total.map { $0 + toSend }
      } else {
        done += progress.received
        total = total.flatMap { total in
          progress.toReceive.map { total.addingReportingOverflow($0) }.flatMap { $0.overflow ? nil : $0.partialValue }
        }
      }
    }
    return (done, total)
  }

  /// `1:05`, in minutes and seconds.
  public static func clock(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 359_999).rounded(.up))
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
