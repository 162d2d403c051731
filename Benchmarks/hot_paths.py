"""What is done most often, as commands, and what they take under callgrind: for the scripts beside this one."""
import contextlib, json, os, pathlib, pty, re, select, shutil, statistics, subprocess

from measuring import script


class Parts:
    """Each part gives the command of a small and of a large job, and how many units lie between the two."""

    def __init__(self, folder, api):
        self.folder, self.api = pathlib.Path(folder), api

    def script(self, name, text):
        path = self.folder / f"{name}.wb"
        path.write_text(text)
        return str(path)

    def run(self, name, steps, recorded):
        profile = f'profile api {{\n  base "{self.api}"\n  auth bearer $env.TOKEN\n}}\n'
        line = {
            "plain": lambda n: f"GET {self.api}/health?n={n}",
            "bearer": lambda n: f"GET api:/zen?n={n}",
            "once": lambda n: f"GET {self.api}/health?n={n}\n  effect once",
        }[name]
        lines = [line(number) for number in range(steps)]
        path = self.script(f"{name}-{steps}", (profile if name == "bearer" else "") + "\n".join(lines) + "\n")
        return ["run", "--quiet", *(["--store", str(self.folder / "store")] if recorded else ["--no-record"]), path]

    def all(self):
        few, many = 50, 300
        yield "start", "a process", (None, ["check", self.script("start", script(1))], 1)
        yield "send", "a process", (None, ["send", "GET", f"{self.api}/health"], 1)
        for steps in (1_000,):
            path = self.script("check", script(steps))
            yield "check", "a step", (["check", self.script("check-1", script(1))], ["check", path], steps - 1)
            yield "fmt", "a step", (["fmt", "--check", self.script("check-1", script(1))], ["fmt", "--check", path], steps - 1)
        for name in ("plain", "bearer", "once"):
            for recorded in (False, True):
                part = name + (", recorded" if recorded else "")
                yield part, "a step", (self.run(name, few, recorded), self.run(name, many, recorded), many - few)
        lines = ["POST https://api.example.com/items/1 accept:text/plain na", "  json { na", "a: GE\t", ":sh\t", "let x = $a.bo\t"]
        yield "prompt", "a line", ("", "\x15".join(lines * 10), 50)


@contextlib.contextmanager
def sandbox(workbench):
    """The address of the sandbox that was built beside the program."""
    path = pathlib.Path(workbench).parent / "workbench-sandbox"
    process = subprocess.Popen([path, "--token", "benchmark"], stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline())["api"]
    finally:
        process.kill()
        process.wait()


class Program:
    def __init__(self, path, folder, name="program"):
        self.path, self.folder = os.path.join(folder, name), folder
        # Valgrind cannot read the debug information of every compiler.
        subprocess.check_call(["strip", "--strip-debug", "-o", self.path, path])
        self.environment = dict(os.environ, TOKEN="benchmark", HOME=folder, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder,
                                TERM="xterm-256color", TMPDIR=folder)

    def fresh(self):
        shutil.rmtree(os.path.join(self.folder, "store"), ignore_errors=True)

    def cost(self, small, large, units):
        """Instructions of a unit: the difference of a small and a large job by how many units lie between them."""
        def once():
            return (self.instructions(large) - (0 if small is None else self.instructions(small))) / units
        # The threads of a run share its work differently each time: the median of three.
        threaded = isinstance(large, list) and large[0] in ("run", "send")
        return statistics.median(once() for _ in range(3 if threaded else 1))

    def instructions(self, command, profile="/dev/null", options=()):
        """Instructions of one run under callgrind, whose profile is kept there."""
        self.fresh()
        log = os.path.join(self.folder, "log")
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", f"--log-file={log}", *options, self.path]
        if isinstance(command, str):
            self.typed(words, command)
        else:
            subprocess.run([*words, *command], env=self.environment, stdout=subprocess.DEVNULL, check=True)
        return int(re.search(r"Collected : (\d+)", pathlib.Path(log).read_text()).group(1))

    def typed(self, words, keys):
        """A prompt in a terminal of its own, at which keys are typed, one at a time, and which is then ended."""
        process, terminal = pty.fork()
        if process == 0:
            os.execvpe(words[0], words, self.environment)
        def read(seconds):
            seen = b""
            while select.select([terminal], [], [], seconds)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    break
            return seen
        seen = b""
        while b"> " not in seen:
            seen += read(0.2)
        for key in keys:
            os.write(terminal, key.encode())
            read(0.03)
        os.write(terminal, b"\x15\x04")
        read(1)
        os.waitpid(process, 0)
        os.close(terminal)
