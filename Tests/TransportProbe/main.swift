// A process of its own around the transport, so that nothing else takes its time or memory:
//
//     transport-probe [--upload FILE] URL…
//
// sends a GET to each URL, or to the first a PUT of the file, and prints, at the end,
// how long the slowest took, in milliseconds, and its peak memory in KiB.

import Foundation
import HTTPTypes
import LibcurlTransport
import Requests
import UploaderCore

let transport = CurlTransport()
let limits = TransferLimits(
  firstByte: .seconds(2), idle: .seconds(2), headBytes: 256 << 10, headLines: 1000, bodyBytes: 256 << 20, ratio: 250)
var urls = Array(CommandLine.arguments.dropFirst())
var upload: [BodySegment]?
if urls.count > 2, urls[0] == "--upload" {
  upload = [.file(try FileSlice(path: urls[1]))]
  urls.removeFirst(2)
}
var slowest: Duration = .zero
for url in urls {
  let started = ContinuousClock.now
  defer { slowest = max(slowest, ContinuousClock.now - started) }
  do {
    let request = TransportRequest(method: upload == nil ? .get : .put, url: url, body: upload, limits: limits)
    upload = nil
    let answer = try await transport.send(request) { _ in }
    var count = 0
    try answer.response.body.forEachChunk { count += $0.count }
    print("\(answer.response.status.code) \(count)")
  } catch {
    print((error as? TransportError).map { "\($0.fact)" } ?? "\(error)")
  }
}
let peak = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  .split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
print(slowest / .milliseconds(1), peak?.split(separator: " ").compactMap { Int($0) }.first ?? -1)
