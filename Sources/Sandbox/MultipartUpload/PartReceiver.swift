import Crypto
import Essentials
import NIOHTTP1

/// Takes the content of one part as it arrives.
struct PartReceiver: BodyReceiver {
  private let uploads: MultipartUploads
  private let request: MultipartUploadRequest
  private let number: Int
  private let uploadID: String
  /// What it must be according to `Content-MD5`; nil: not specified.
  private let expected: [UInt8]?

  private let file: IncomingFile
  private var size = 0
  private var md5 = Insecure.MD5()
  private var failure: FileError?

  init(
    _ request: MultipartUploadRequest, number: Int, uploadID: String, expected: [UInt8]?, uploads: MultipartUploads,
    store: ObjectStore
  ) throws(MultipartUploadError) {
    self.uploads = uploads
    self.request = request
    self.number = number
    self.uploadID = uploadID
    self.expected = expected
    do throws(FileError) { file = try store.makeIncomingFile() } catch { throw .notStored(error) }
  }

  var isWaiting: Bool { true }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    guard failure == nil else { return }
    size += bytes.count
    bytes.withUnsafeBytes { md5.update(bufferPointer: $0) }
    do throws(FileError) { try file.write(bytes) } catch { failure = error }
  }

  func finish() async -> Response {
    let digest = Array(md5.finalize())
    do throws(MultipartUploadError) {
      if let failure { throw MultipartUploadError.notStored(failure) }
      if let expected, expected != digest {
        throw MultipartUploadError.badDigest(
          expected: Data(expected).base64EncodedString(), calculated: Data(digest).base64EncodedString())
      }
      let part = MultipartUploads.Part(file: file, size: size, digest: digest)
      try await uploads.keep(part, number: number, of: uploadID, key: request.key)
      return Response(status: .ok, headers: [("ETag", part.etag)])
    } catch {
      return error.response
    }
  }
}
