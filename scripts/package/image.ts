/**
 * Builds the container image from the built checkout, without building in the image again:
 *   npx node scripts/package/image.ts                           the image `svcd`, for this machine's architecture
 *   npx node scripts/package/image.ts --arch arm64 --tag NAME
 *   npx node scripts/package/image.ts --builder docker          buildah by default; or podman
 *   npx node scripts/package/image.ts -- --pull-never …         options of the builder
 * DEBIAN_IMAGE is an image with apt from which the libraries come; by default that of the Containerfile.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { root } from '../setup/runtime.mjs'
import { copyProduct } from './product.ts'
import { findSource } from './source.ts'

/** Node's name of an architecture by that of images. */
const nodeNames: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' }
const [own = 'amd64'] = Object.keys(nodeNames).filter((name) => nodeNames[name] === process.arch)

const { values, positionals } = parseArgs({
  options: {
    arch: { type: 'string', default: own },
    builder: { type: 'string', default: 'buildah' },
    tag: { type: 'string', default: 'svcd' },
  },
  allowPositionals: true,
})
const { arch, builder, tag } = values
const nodeName = nodeNames[arch]
if (nodeName === undefined)
  throw new Error(`there is no image for ${arch}; there is one for ${Object.keys(nodeNames).join(', ')}`)

const source = findSource()
const variables: Readonly<Record<string, string | undefined>> = {
  DEBIAN_IMAGE: env['DEBIAN_IMAGE'],
  VERSION: source.version,
  SVC_REVISION: source.revision,
  SOURCE_DATE_EPOCH: String(source.epoch),
  // Old versions of buildah and podman do not know it.
  BUILDPLATFORM: builder === 'docker' ? undefined : `linux/${own}`,
  CREATED: new Date(source.epoch * 1000).toISOString(),
}
const buildArguments = Object.entries(variables).filter(([, value]) => value !== undefined)
const folder = mkdtempSync(join(tmpdir(), 'svc-image-'))
try {
  copyProduct(join(folder, 'package'), source, `linux-${nodeName}`)
  const args = [
    'build',
    `--file=${join(root, 'deploy/Containerfile')}`,
    `--tag=${tag}`,
    `--platform=linux/${arch}`,
    // Replaces the stage that would build the checkout once more.
    `--build-context=package=${folder}`,
    ...buildArguments.map(([name, value]) => `--build-arg=${name}=${value ?? ''}`),
    // The format of OCI has no health checks. Docker takes the time from SOURCE_DATE_EPOCH.
    ...(builder === 'docker' ? [] : ['--format=docker', `--timestamp=${String(source.epoch)}`]),
    ...positionals,
    root,
  ]
  const { status, error } = spawnSync(builder, args, { stdio: 'inherit' })
  if (error !== undefined) throw error
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
