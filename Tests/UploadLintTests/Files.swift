import Foundation

func write(_ path: String, _ text: String) -> Bool {
  (try? Data(text.utf8).write(to: URL(filePath: path))) != nil
}

func remove(_ path: String) {
  try? FileManager.default.removeItem(atPath: path)
}
