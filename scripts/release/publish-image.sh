#!/bin/sh
# Builds the image for each architecture, and pushes them under one name: sh scripts/release/publish-image.sh REGISTRY/NAME
# Needs buildah, signed in to the registry, and a checkout that `npm run package` has built. SVC_PUSH_OPTIONS are options of
# `buildah manifest push`, such as --tls-verify=false.
set -eu
name=$1
folder=${0%/*}
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$folder/../../package.json")
manifest=$name:$version

buildah manifest rm "$manifest" 2>/dev/null || true
buildah manifest create "$manifest"
for arch in amd64 arm64; do
  npx node "$folder/../package/image.ts" --arch "$arch" --tag "$manifest-$arch"
  buildah manifest add "$manifest" "containers-storage:$manifest-$arch"
done
# shellcheck disable=SC2086 # several options
buildah manifest push --all ${SVC_PUSH_OPTIONS-} "$manifest" "docker://$manifest"
