import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { podmanCompose } from '../../../scripts/tests/deployment-tools.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import type { Containers } from './containers.ts'

const deploy = resolve(import.meta.dirname, '../../../deploy')

/** A machine with Docker and a copy of the folder `deploy`, as far as Podman can be one: all of its ports are free. */
export interface ComposeMachine {
  /** Of the folder above `deploy`. */
  readonly path: string
  /**
   * Runs a script of bash in the folder above `deploy`, which ends at the first command that fails.
   * @returns everything that it writes
   * @throws with the output when it fails
   */
  readonly run: (script: string) => Promise<string>
  /** Ends all containers, and removes their volumes. */
  remove(): Promise<void>
}

/** Docker's commands with Podman. Podman Compose asks for a terminal when none is there, and would read the rest of the script. */
const docker = `#!/bin/bash
test "$1" = compose || exec podman "$@"
shift
args=()
for arg in "$@"; do
  args+=("$arg")
  test "$arg" != exec || args+=(-T)
done
exec ${podmanCompose} --in-pod=false "\${args[@]}" < /dev/null
`

/** What differs from an operator's machine: limits and disks may be smaller, and without systemd nothing runs health checks. */
const changes: readonly (readonly [file: string, from: RegExp, to: string])[] = [
  ['two-servers.yaml', / {2}ulimits:\n {4}nofile: 65536\n/, ''],
  ['one-machine.yaml', / {4}ulimits:\n {6}nofile: 65536\n/, ''],
  [
    'one-machine.yaml',
    / {4}environment:\n/,
    "    healthcheck: { disable: true }\n    environment:\n      SVCD_MIN_FREE_SPACE_STR: '0'\n",
  ],
]

/** The file with the process that answers for names in networks. */
const nameServer = '/run/containers/networks/aardvark-dns/aardvark.pid'

/** Ends a script, unless it has just ended. */
function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** @param hosts addresses of hosts, by their name */
export async function composeMachine(
  containers: Containers,
  hosts: Readonly<Record<string, string>>,
): Promise<ComposeMachine> {
  await containers.run('tag', containers.image, 'localhost/svcd')
  const folder = await emptyDirectory()
  await cp(deploy, join(folder, 'deploy'), { recursive: true })
  for (const [file, from, to] of changes) {
    const path = join(folder, 'deploy/compose', file)
    const text = await readFile(path, 'utf8')
    if (!from.test(text)) throw new Error(`${file} has no ${from.source}`)
    await writeFile(path, text.replace(from, to))
  }
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/docker'), docker)
  await chmod(join(folder, 'bin/docker'), 0o755)
  const lines = Object.entries({ localhost: '127.0.0.1', ...hosts }).map(
    ([name, address]) => `${address} ${name}\n`,
  )
  await writeFile(join(folder, 'hosts'), lines.join(''))

  // It keeps the namespaces while commands enter and leave them.
  const setUp = [
    'mount --bind hosts /etc/hosts',
    // Addresses in use, and the server of names.
    'mkdir -p /run/containers',
    'mount -t tmpfs tmpfs /run/containers',
    'ip link set lo up',
    'echo ready',
    'exec sleep infinity',
  ].join(' && ')
  const holder = spawn('unshare', ['--net', '--mount', 'sh', '-c', setUp], { cwd: folder })
  let failure = ''
  holder.stderr.setEncoding('utf8').on('data', (text: string) => (failure += text))
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'close').then(() => {
      throw new Error(`the namespaces could not be set up: ${failure}`)
    }),
  ])
  const entered = [`--target=${String(holder.pid)}`, '--net', '--mount', `--wd=${folder}`]
  const env = {
    ...containers.env,
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    // Podman has systemd run health checks, and writes errors where it is missing.
    DISABLE_HC_SYSTEMD: 'true',
  }
  /** Process groups of scripts, also those of a test that timed out. */
  const running = new Set<number>()
  const run = async (script: string): Promise<string> => {
    const child = spawn('nsenter', [...entered, 'bash', '-euo', 'pipefail', '-s'], { env, detached: true })
    const { pid } = child
    if (pid !== undefined) running.add(pid)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.stdin.end(script)
    // Commands in the background of a script that failed would keep its output open.
    child.once('exit', (code) => {
      if (code !== 0 && pid !== undefined) killGroup(pid)
    })
    const [status] = (await once(child, 'close')) as [number | null]
    if (pid !== undefined) running.delete(pid)
    if (status !== 0) throw new Error(`a script failed with status ${String(status)}: ${output}`)
    return output
  }
  return {
    path: folder,
    run,
    async remove() {
      for (const group of running) killGroup(group)
      try {
        await run(`
          # A container that others depend on is removed after them.
          for attempt in 1 2 3; do podman rm --all --force --time=0 && break; done
          podman volume rm --all --force
          podman network prune --force
          ! test -e ${nameServer} || kill $(cat ${nameServer})
        `)
      } finally {
        const closed = once(holder, 'close')
        holder.kill()
        await closed
      }
    },
  }
}
