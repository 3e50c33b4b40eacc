"""The command line: one file per command, no logic; heavy imports happen inside the commands."""
