package import JSONValue
internal import Presentation
internal import Requests

extension World {
  /// Takes what files outside of a script say: from here on they are a part of this world, whatever is run in it.
  ///
  /// - Parameters:
  ///   - values: files with maps of names and values; of a name that several have, the last value counts.
  ///   - variables: files with what `$env` lacks; of a name that several have, the last value counts.
  ///   - environments: scripts of `let`, `secret` and `profile`, which replace those of a script.
  /// - Returns: the values for names.
  package mutating func take(
    values: [String], variables: [String], environments: [String]
  ) throws(OutsideFileError) -> [String: JSON] {
    for (option, paths) in [("--vars", values), ("--env-file", variables), ("--use", environments)] {
      // Standard input is read once.
      for path in paths where path != "-" { outsideOptions += " \(option) \(ShellQuoting.quoted(path))" }
    }
    for path in variables { fileVariables.merge(try VariableFile(path, in: self).variables) { $1 } }
    for path in environments {
      do throws(FileError) {
        self.environments.append(try ScriptFile(path, in: self))
      } catch {
        throw .file(error)
      }
    }
    var found: [String: JSON] = [:]
    for path in values {
      for member in try ValueFile(path, in: self).values.members { found[member.key] = member.value }
    }
    return found
  }

  /// The bytes of one of them.
  func readOutside(_ path: String) throws(OutsideFileError) -> [UInt8] {
    do throws(FileError) {
      return try readDocument(path)
    } catch {
      throw .file(error)
    }
  }
}
