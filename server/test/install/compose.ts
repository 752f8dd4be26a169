import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { emptyDirectory } from '../support/servers/svcd.ts'
import type { Containers } from './containers.ts'

const folder = resolve(import.meta.dirname, '../../../deploy/compose')
const execute = promisify(execFile)

/** A set of compose files with podman-compose. */
export interface Composed {
  /** Runs a command, such as `up`. @throws with its output when it fails */
  run(...args: readonly string[]): Promise<void>
}

/**
 * What differs from an operator's machine: the server listens on a free port of this machine, whose limits may be lower, and
 * without systemd nothing runs health checks.
 */
const here = (port: number) => `
services:
  svcd:
    network_mode: host
    healthcheck: { disable: true }
    ulimits: { nofile: 4096 }
    environment:
      SVCD_LISTEN_ADDRESS: 127.0.0.1
      SVCD_LISTEN_PORT: '${String(port)}'
      SVCD_MIN_FREE_SPACE_STR: '0'
`

export async function composed(
  containers: Containers,
  files: readonly string[],
  port: number,
): Promise<Composed> {
  // The name of the image in the files.
  await containers.run('tag', containers.image, 'localhost/svcd')
  const override = join(await emptyDirectory(), 'here.yaml')
  await writeFile(override, here(port))
  const named = [...files.map((file) => join(folder, file)), override].flatMap((file) => ['-f', file])
  return {
    async run(...args) {
      await execute('podman-compose', [...named, ...args], { env: containers.env })
    },
  }
}
