"""The commands, put together."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import covey
from covey.cli import compare, datasets, doctor, methods, predict, report, reproduce, study
from covey.cli.errors import INTERRUPTED, explain, want_traceback
from covey.cli.options import examples

# Commands with options for what Python's arguments say about columns.
_TAKE_COLUMNS = ("compare", "datasets", "predict")


class Commands(TyperGroup):
    """Commands whose errors are told in words."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        from covey.cli.terminal import as_options, complain, note

        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            note(str(error) or "Stopped.")
            raise typer.Exit(INTERRUPTED) from None
        except (typer.Exit, typer.Abort):
            raise
        except BrokenPipeError:
            raise
        except Exception as error:
            if _is_of_the_parser(error):
                raise
            message, code = explain(error)
            complain(as_options(message) if ctx.invoked_subcommand in _TAKE_COLUMNS else message)
            raise typer.Exit(code) from None


_START = (
    "covey compare patients.csv --target outcome --save-best model.covey",
    "covey predict model.covey new-patients.csv",
    "covey study run study.toml",
    "covey reproduce multistrategy --quick",
)

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,  # names in messages are written as they are
    epilog=examples(_START),
)

app.command("compare", short_help="Compare ensembles on your data.", epilog=examples(compare.EXAMPLES))(compare.compare)
app.command("predict", short_help="Use a saved model on new rows.", epilog=examples(predict.EXAMPLES))(predict.predict)
app.command("report", short_help="Write the report of a store again.", epilog=examples(report.EXAMPLES))(report.report)
app.add_typer(study.app, name="study", short_help="Check, run and read studies that are files.")
app.command("reproduce", short_help="Try a paper's experiments again.", epilog=examples(reproduce.EXAMPLES))(
    reproduce.reproduce
)
app.command("methods", short_help="List the methods.", epilog=examples(methods.EXAMPLES))(methods.methods)
app.command("datasets", short_help="List datasets, or look at one.", epilog=examples(datasets.EXAMPLES))(
    datasets.datasets
)
app.command("doctor", short_help="See whether everything is here.")(doctor.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"covey {covey.__version__}")
        raise typer.Exit


@app.callback()
def begin(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show where an error comes from, as COVEY_TRACEBACK=1 does.")
    ] = False,
) -> None:
    """Find out which ensemble to use on your data, and why.

    Compare what people use on a table of your own, read the report and keep the best model. Run studies that can be
    stopped and go on, and try the papers' experiments again. 'covey COMMAND --help' tells more of each command.
    """
    if traceback:
        want_traceback()
    warnings.showwarning = _show_warning


def _show_warning(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
    from covey.cli.terminal import note

    note(f"Note: {' '.join(str(message).split())}")


def _is_of_the_parser(error: Exception) -> bool:
    """Whether an error is about how a command was typed; typer tells it with the usage."""
    return any(kind.__name__ == "ClickException" for kind in type(error).__mro__)
