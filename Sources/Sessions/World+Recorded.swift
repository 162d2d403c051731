internal import Requests
internal import RunStore

extension World {
  /// The world in which a recorded script is run again: its paths begin where they began, and the files that it uses
  /// are as they were changed for it.
  package func standing(for recorded: RecordedScript) -> World {
    beginningPaths(in: recorded.workingDirectory).reading(recorded.changedFiles).using(recorded.environments)
      .meaning(in: recorded.language)
  }

  /// The same world, in which programs mean what they meant in this version of the language.
  package func meaning(in language: Int) -> World {
    var world = self
    world.language = language
    return world
  }

  /// The same world with these environments.
  package func using(_ environments: [ScriptFile]) -> World {
    var world = self
    world.environments = environments
    return world
  }

  /// The same world, in which the files with these full paths have these texts.
  package func reading(_ changedFiles: [String: String]) -> World {
    guard !changedFiles.isEmpty else { return self }
    var world = self
    let (read, directory) = (readFile, workingDirectory)
    world.readFile = { path throws(FileError) in
      if let text = changedFiles[RunSetup.absolute(path, in: directory)] { return Array(text.utf8) }
      return try read(path)
    }
    return world
  }

  /// The same world as seen from another directory.
  package func beginningPaths(in directory: String) -> World {
    var world = self
    world.pathOrigin = directory == workingDirectory ? nil : directory
    world.workingDirectory = directory
    return world
  }
}
