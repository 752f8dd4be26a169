#!/bin/sh
# Runs a script of the checkout with the project's Node, after the set-up: sh scripts/run.sh FILE [ARGUMENT…]. npm_node_execpath
# is the Node that runs npm. In a script of npm, `node` is that of the last set-up, which may not run on this machine.
folder=${0%/*}
"${npm_node_execpath:-node}" "$folder/setup/main.cjs" || exit
exec "$folder/../node_modules/.bin/node" "$@"
