import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { emptyDirectory } from '../support/servers/svcd.ts'
import type { Containers } from './containers.ts'

const folder = resolve(import.meta.dirname, '../../../deploy/compose')
const execute = promisify(execFile)

/** A compose file with podman-compose. */
export interface Composed {
  /** Runs a command, such as `up`. @throws with its output when it fails */
  run(...args: readonly string[]): Promise<void>
}

/**
 * What differs from an operator's machine: the port is a free one, limits and disks may be smaller, and without systemd nothing
 * runs health checks.
 */
const changes = (port: number): readonly (readonly [string, string])[] => [
  ['127.0.0.1:8080:8080', `127.0.0.1:${String(port)}:8080`],
  // Podman's own limits, which replace those of its configuration as soon as one is set, may be more than is allowed here.
  ['    ulimits:\n      nofile: 65536\n', ''],
  [
    '    environment:\n',
    "    healthcheck: { disable: true }\n    environment:\n      SVCD_MIN_FREE_SPACE_STR: '0'\n",
  ],
]

/** The compose file of one server, with the changes that this machine needs. */
export async function composed(containers: Containers, port: number): Promise<Composed> {
  // The name of the image in the file.
  await containers.run('tag', containers.image, 'localhost/svcd')
  let text = await readFile(join(folder, 'one-machine.yaml'), 'utf8')
  for (const [from, to] of changes(port)) {
    if (!text.includes(from)) throw new Error(`one-machine.yaml has no ${from}`)
    text = text.replace(from, to)
  }
  const file = join(await emptyDirectory(), 'one-machine.yaml')
  await writeFile(file, text)
  return {
    async run(...args) {
      await execute('podman-compose', ['-p', 'svc', '-f', file, ...args], { env: containers.env })
    },
  }
}
