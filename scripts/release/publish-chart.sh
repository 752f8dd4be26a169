#!/bin/sh
# Packs the chart with the name of the published image, and pushes it: sh scripts/release/publish-chart.sh IMAGE REGISTRY/PATH
# Needs Helm, signed in to the registry. SVC_PUSH_OPTIONS are options of `helm push`, such as --plain-http.
set -eu
image=$1 target=$2
folder=${0%/*}
chart=$(mktemp -d)
trap 'rm -rf "$chart"' EXIT
cp -R "$folder/../../deploy/chart" "$chart/svcd"
sed "s|^  repository: .*|  repository: $image|" "$folder/../../deploy/chart/values.yaml" > "$chart/svcd/values.yaml"
helm package "$chart/svcd" --destination "$chart"
# shellcheck disable=SC2086 # several options
helm push ${SVC_PUSH_OPTIONS-} "$chart"/svcd-*.tgz "oci://$target"
