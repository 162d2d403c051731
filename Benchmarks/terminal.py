"""The prompt at a pseudo-terminal, for the scripts beside this one."""
import os, pty, select, sys, tempfile, time


class Prompt:
    """The program under a terminal of its own."""

    def __init__(self, workbench, history=0):
        self.state = tempfile.TemporaryDirectory()
        directory = os.path.join(self.state.name, "workbench")
        os.mkdir(directory, 0o700)
        with open(os.path.join(directory, "history"), "w") as file:
            for number in range(history):
                file.write(f"GET https://api.example.com/items/{number}/parts?page={number % 7} X-Number:{number}\n")
        environment = dict(os.environ, XDG_STATE_HOME=self.state.name, XDG_CONFIG_HOME=self.state.name,
                           TERM="xterm-256color", LESS="-RXF")
        self.seen = b""
        self.began = time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(workbench, [workbench], environment)

    def wait(self, text, seconds=60):
        """Reads until the text is there; the time it came. What follows it is for the next call."""
        end = time.perf_counter() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.perf_counter()))
            if not ready:
                sys.exit(f"waited for {text!r}, saw {self.seen[-500:]!r}")
            self.seen += os.read(self.terminal, 65536)
        self.seen = self.seen[self.seen.index(text) + len(text):]
        return time.perf_counter()

    def prompt(self):
        return self.wait(b"> ")

    def type(self, keys):
        began = time.perf_counter()
        os.write(self.terminal, keys.encode())
        return began

    def quiet(self, seconds=0.05):
        while select.select([self.terminal], [], [], seconds)[0]:
            os.read(self.terminal, 65536)
        self.seen = b""

    def memory(self, figure="VmHWM"):
        """MiB of the process: by default its peak, mapped files included; RssAnon is what is its own now."""
        for line in open(f"/proc/{self.process}/status"):
            if line.startswith(figure):
                return int(line.split()[1]) / 1024

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)
        self.state.cleanup()
