#!/bin/sh
# Makes a release: sh scripts/release/release.sh VERSION [OPTION…]. What it needs is checked before the set-up, which may build for minutes.
folder=${0%/*}
"${npm_node_execpath:-node}" "$folder/requirements.mjs" "$@" || exit
exec sh "$folder/../run.sh" "$folder/release.ts" "$@"
