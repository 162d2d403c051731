import Foundation

/// A network of a test's own, with addresses that elsewhere belong to somebody.
public enum Namespace {
  /// Whether one can be made here, without being root outside of it.
  public static let isPossible: Bool = {
    guard let unshare = ServerProcess.find("unshare"), ServerProcess.find("ip") != nil else { return false }
    let line = ["-rn", "sh", "-c", "PATH=$PATH:/usr/sbin ip link set lo up"]
    return (try? ServerProcess.run(unshare, line, in: FileManager.default.temporaryDirectory)) != nil
  }()

  /// The arguments of `/bin/sh` that run a script of `Providers` there, with the address of the metadata service.
  public static func metadataService(_ kind: String, _ command: [String]) -> [String] {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Providers/imds.py").path
    let line =
      "PATH=$PATH:/usr/sbin; exec unshare -rn sh -c 'ip link set lo up && ip addr add 169.254.169.254/32 dev lo && "
      + "exec \"$@\"' sh \"$@\""
    return ["-c", line, "sh", Python.program ?? "python3", script, kind] + command
  }
}
