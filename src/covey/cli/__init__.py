"""The command line: one file per command. `covey.cli.app.main` is where it begins."""
