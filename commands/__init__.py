"""One file a command: parse, call, print. `azx.cli.COMMANDS` lists them and loads them when they are called."""
