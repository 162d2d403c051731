// A process of its own around the transport, so that its memory can be measured from outside any test:
//
//     transport-probe URL…        sends a GET to each, and prints its peak memory in KiB

import Foundation
import HTTPTypes
import LibcurlTransport
import Requests
import UploaderCore

let transport = CurlTransport()
let limits = TransferLimits(
  firstByte: .seconds(2), idle: .seconds(2), headBytes: 256 << 10, headLines: 1000, bodyBytes: 256 << 20, ratio: 250)
for url in CommandLine.arguments.dropFirst() {
  do {
    let answer = try await transport.send(TransportRequest(method: .get, url: url, limits: limits)) { _ in }
    var count = 0
    try answer.response.body.forEachChunk { count += $0.count }
    print("\(answer.response.status.code) \(count)")
  } catch {
    print((error as? TransportError).map { "\($0.fact)" } ?? "\(error)")
  }
}
let peak = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  .split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
print(peak?.split(separator: " ").compactMap { Int($0) }.first ?? -1)
