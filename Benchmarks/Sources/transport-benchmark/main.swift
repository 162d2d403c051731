// The uploader at work, for Benchmarks/transport to measure from outside:
//
//     transport-benchmark get URL COUNT             one after another, on one connection
//     transport-benchmark parallel URL COUNT WIDTH  that many at once
//     transport-benchmark put URL FILE
//     transport-benchmark multipart URL FILE
//
// Prints the seconds it took. A CA after all but `parallel` is a file of the certificates to trust.

import HTTPTypes
import LibcurlTransport
import Requests
import UploaderCore

struct Failure: Error {
  let reason: String
}

let arguments = CommandLine.arguments
guard arguments.count > 3, let origin = try? CurlTransport().origin(of: arguments[2]) else {
  throw Failure(reason: "usage: transport-benchmark get|parallel|put|multipart URL COUNT|FILE [WIDTH]")
}
let (mode, url) = (arguments[1], arguments[2])
var tls = NetworkSettings.TLS()
if mode != "parallel", arguments.count > 4 { tls.authorities = arguments[4] }
let profile = SessionProfile(
  name: "api", base: BaseURL(origin: origin),
  credential: .bearer(Secret("benchmark-token-0123456789", name: "TOKEN", for: [OriginPattern(origin)])),
  network: NetworkSettings(tls: tls))
let uploader = Uploader(transport: CurlTransport(), profiles: SessionProfiles([profile]))

func run(_ count: Int, _ description: RequestDescription) async throws {
  var sent = 0
  while sent < count {
    // A run keeps its records: a long one is many short ones here, as it is for a user.
    let length = min(100, count - sent)
    var run = SequenceRun(ArrayRequestSequence(Array(repeating: { _ in description }, count: length)))
    try await uploader.run(&run)
    guard let status = run.lastExchange?.response.status, status.kind == .successful else {
      throw Failure(reason: "\(String(describing: run.lastExchange?.response.status))")
    }
    sent += length
  }
}

let clock = ContinuousClock()
let start = clock.now
switch mode {
case "get":
  let head = RequestHead(.get, .url(url))
  try await run(Int(arguments[3]) ?? 1, .inMemory(InMemoryRequestDescription(head)))
case "parallel":
  let (count, width) = (Int(arguments[3]) ?? 1, Int(arguments[4]) ?? 64)
  let head = RequestHead(.get, .url(url))
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<width {
      group.addTask { try await run(count / width, .inMemory(InMemoryRequestDescription(head))) }
    }
    try await group.waitForAll()
  }
case "put":
  let file = try FileSlice(path: arguments[3])
  try await run(1, .stream(StreamRequestDescription(RequestHead(.put, .url(url)), file: file)))
case "multipart":
  let file = try FileSlice(path: arguments[3])
  let part = MultipartPart(name: "file", content: .file(file), fileName: "upload.bin")
  try await run(1, .multipart(MultipartRequestDescription(RequestHead(.post, .url(url)), parts: [part])))
default:
  throw Failure(reason: "unknown mode \(mode)")
}
let seconds = (clock.now - start) / .seconds(1)
print(seconds)
