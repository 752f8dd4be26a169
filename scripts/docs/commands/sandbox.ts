import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { projectNode } from '../../setup/runtime.mjs'
import { serverProcess } from '../../server-process.mjs'
import type { PageSetUp } from './pages.ts'

const root = resolve(import.meta.dirname, '../../..')

/** A folder with a server and the programs that the pages name. */
export interface Sandbox {
  readonly url: string
  /** Runs a script of bash, and returns its status and what it printed. */
  run(script: string): Promise<{ readonly status: number | null; readonly output: string }>
  remove(): Promise<void>
}

/** A script that takes longer waits for something that never comes. */
const timeoutMs = 90_000

/** Starts a server in a new folder. */
export async function startSandbox({ settings = {} }: PageSetUp): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-docs-'))
  const bin = join(folder, 'bin')
  const work = join(folder, 'work')
  await Promise.all([mkdir(bin), mkdir(work)])
  const node = projectNode() || process.execPath
  for (const [name, program] of [
    ['svc', 'cli/bin/svc.mjs'],
    ['svcd', 'server/bin/svcd.mjs'],
  ] as const) {
    await writeFile(join(bin, name), `#!/bin/sh\nexec '${node}' '${join(root, program)}' "$@"\n`)
    await chmod(join(bin, name), 0o755)
  }
  const variables = Object.entries({ MIN_FREE_SPACE_STR: '0', ...settings })
  const environment = {
    ...process.env,
    ...Object.fromEntries(variables.map(([name, value]) => [`SVCD_${name}`, value])),
    HOME: work,
    XDG_CONFIG_HOME: work,
    XDG_DATA_HOME: work,
    XDG_STATE_HOME: work,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
  }
  const { command, args, env } = serverProcess(['serve'])
  const server = spawn(command, args, {
    cwd: work,
    env: { ...environment, ...env, SVCD_LISTEN_ADDRESS: '127.0.0.1', SVCD_LISTEN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(server, 'close')
  const url = await new Promise<string>((found, failed) => {
    createInterface(server.stdout).on('line', (line) => {
      const [, address] = /^svcd listens on (.*)\/$/.exec(line) ?? []
      if (address !== undefined) found(address)
    })
    server.once('close', (status) => {
      failed(new Error(`the server ended with status ${String(status)}`))
    })
  })
  return {
    url,
    run: (script) => bash(script, work, { ...environment, SVC_SERVER: url }),
    async remove() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function bash(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  // A group of its processes, so that what it leaves in the background ends with it.
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString()
    })
  const end = () => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
  const timer = setTimeout(end, timeoutMs)
  const [status] = (await once(shell, 'exit')) as [number | null]
  clearTimeout(timer)
  end()
  return { status, output }
}
