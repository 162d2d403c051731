import Crypto
import Essentials
import JSONValue
import NIOHTTP1

/// Takes the body of one PUT as it arrives and stores it.
struct PutObjectUpload: BodyReceiver {
  private let storage: StorageService
  private let key: String
  /// `Content-MD5`, base64.
  private let digest: String?
  private let keptSize: Int
  private let file: IncomingFile
  private var refusal: S3Error?
  private var size = 0
  private var sha256 = SHA256()
  private var md5 = Insecure.MD5()
  private(set) var fileSHA256: String?

  /// - Parameter keptSize: how many bytes are stored at most; the rest is lost, which is a fault.
  init(key: String, storage: StorageService, contentMD5: String?, keptSize: Int?) throws(S3Error) {
    self.key = key
    self.storage = storage
    digest = contentMD5
    self.keptSize = keptSize ?? .max
    guard ObjectStore.fileName(ofKey: key) != nil else { throw .keyTooLong(key) }
    do throws(FileError) { file = try storage.store.makeIncomingFile() } catch { throw .notStored(error) }
  }

  var isWaiting: Bool { true }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    let kept = bytes.prefix(max(0, keptSize - size))
    size += bytes.count
    bytes.withUnsafeBytes { sha256.update(bufferPointer: $0) }
    kept.withUnsafeBytes { md5.update(bufferPointer: $0) }
    guard refusal == nil else { return }
    do throws(FileError) { try file.write(kept) } catch { refusal = .notStored(error) }
  }

  mutating func finish() async -> Response {
    fileSHA256 = sha256.finalize().hex
    let hash = md5.finalize()
    do throws(S3Error) {
      if let refusal { throw refusal }
      try SizeLimits().check(size)
      if let digest, Data(hash).base64EncodedString() != digest {
        throw S3Error.badDigest(expected: digest, calculated: Data(hash).base64EncodedString())
      }
      do throws(FileError) {
        try await storage.store.keep(file, asKey: key, size: min(size, keptSize), etag: hash.hex)
      } catch { throw S3Error.notStored(error) }
      return Response(status: .ok, headers: [("ETag", "\"\(hash.hex)\"")])
    } catch {
      return error.response
    }
  }
}
