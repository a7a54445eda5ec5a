import subprocess
import sys

import pytest

import covey as package

COMMANDS = ("compare", "predict", "report", "study", "reproduce", "methods", "datasets", "doctor")
HEAVY = {"numpy", "pandas", "sklearn", "scipy", "numba", "matplotlib", "rich.console"}


def run_python(code, **environment):
    import os

    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )


def test_help_names_all_commands_and_gives_examples(covey):
    assert covey("--version").out == f"covey {package.__version__}\n"
    found = covey("--help")
    assert found.code == 0
    for command in COMMANDS:
        assert f"  {command} " in found.out
    assert "covey compare patients.csv --target outcome" in found.out
    assert max(map(len, found.out.splitlines())) <= 80
    for command in (*COMMANDS, *(f"study {name}" for name in ("check", "run", "status", "results"))):
        assert covey(*command.split(), "-h").out.startswith(f"Usage: covey {command}")


def test_the_package_runs_as_a_module():
    found = subprocess.run([sys.executable, "-m", "covey", "--version"], capture_output=True, text=True, check=True)
    assert found.stdout == f"covey {package.__version__}\n"


COMPLETE = "from covey.cli.completing import *; complete_data(''); complete_methods(''); complete_papers('')"


@pytest.mark.parametrize("code", ["from covey.cli.app import main; main(['--help'])", COMPLETE])
def test_help_and_completion_import_nothing_heavy(code):
    code = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {code}"
    loaded = set(run_python(code).stderr.split())
    assert "covey.cli" in loaded
    assert not HEAVY & loaded


@pytest.mark.parametrize("name", ["typer", "rich"])
def test_without_a_package_there_is_a_sentence(name):
    found = run_python(f"import sys; sys.modules['{name}'] = None; from covey.cli.app import main; main(['--help'])")
    assert found.returncode == 1
    assert found.stderr == f"covey's command line needs {name}: pip install 'covey[study]'\n"


def test_unknown_commands_and_options_are_wrong_use(covey):
    for typed, words in ((["compre"], "No such command 'compre'"), (["compare", "x", "--[red]"], "[red]")):
        found = covey(*typed)
        assert found.code == 2
        assert words in found.err
    nothing = covey()
    assert "Commands:" in nothing.out + nothing.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_shown(shell):
    code = f"""
import sys
sys.argv = ["covey"]
from covey.cli.app import main
main(["--show-completion", "{shell}"])
"""
    # Without this, typer asks which shell it runs in, and may run in one that it cannot complete in.
    found = run_python(code, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "_COVEY_COMPLETE" in found.stdout
    assert shell in found.stdout


def test_the_shell_is_given_names():
    code = "from covey.cli.app import main; main([])"
    found = run_python(
        code, _COVEY_COMPLETE="complete_bash", COMP_WORDS="covey compare --method mbs", COMP_CWORD="3", COVEY_DATA=""
    )
    assert found.stdout.split() == ["mbsasc"]


def test_letters_that_the_terminal_lacks_are_spelt_out():
    code = "from covey.cli.app import main; main(['methods', '--paper', 'rsc'])"
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin", "COLUMNS": "200", "LANG": "C"},
    )
    assert rb"\u03b1RSE" in found.stdout
    assert b"\x1b" not in found.stdout
