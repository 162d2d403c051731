"""What a command takes, for the scripts beside this one."""
import os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))


def compiled(directory, name, *options):
    """The path of a C program of this directory, made in the other."""
    path = os.path.join(directory, name)
    subprocess.check_call(["cc", "-O2", "-o", path, os.path.join(HERE, name + ".c"), *options])
    return path


class Meter:
    """Measures by way of measure.c, whose own memory is in no figure."""

    def __init__(self, directory):
        self.program = compiled(directory, "measure", "-static")

    def once(self, command, environment=None):
        """Seconds, seconds of processor time, and the largest resident set in MiB of one run, which must go well."""
        command = [str(word) for word in command]
        done = subprocess.run([self.program, *command], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
        seconds, processor, kib = (float(word) for word in done.stdout.split())
        return seconds, processor, kib / 1024


def script(steps):
    """A script of so many steps: a label, a path with a value of the step before, a JSON body, two expectations each."""
    lines = ["profile api {", "  base https://api.example.com/v1", "  header Accept: application/json", "}", ""]
    for step in range(steps):
        target = f"api:/items/{{$s{step - 1}.body.id}}" if step else "api:/items"
        lines += [
            f"s{step}: POST {target}",
            f'  json {{ name: "item {{$s{max(0, step - 1)}.status}}", count: {step}, tags: ["a", "b"] }}' if step
            else "  json { name: \"first\" }",
            "  expect 201",
            "  expect body is { id: int, name: string, ... }",
            "",
        ]
    return "\n".join(lines[:-1]) + "\n"
