import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleCli } from '../../../scripts/cli-bundle.ts'

export interface Ran {
  readonly status: number | null
  readonly output: string
  readonly complaints: string
}

export interface Running {
  readonly child: ChildProcess
  /** What it has written so far. */
  output(): string
  complaints(): string
  readonly ended: Promise<Ran>
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  /** Files that nobody may read can be read by nobody, not even by the administrator that tests may run as. */
  readonly rights?: 'of a person'
}

const withoutPowers = ['setpriv', '--bounding-set=-dac_override,-dac_read_search']

/** The client as people get it, in a folder of its own with a home that nothing else uses. */
export interface Svc {
  readonly directory: string
  readonly program: string
  path(name: string): string
  start(args: readonly string[], options?: RunOptions): Running
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** What a command prints as JSON. */
  json(args: readonly string[], options?: RunOptions): Promise<unknown>
  close(): Promise<void>
}

/** Bundled once for all tests of a file, by version. */
const bundles = new Map<string, Promise<Buffer>>()

/** The program as one file: its bytes. @param version what it says it is, instead of what it is */
export function bundled(version = ''): Promise<Buffer> {
  const make = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-bundle-'))
    const file = join(directory, 'svc.mjs')
    await bundleCli(file, version === '' ? {} : { version })
    const bytes = await readFile(file)
    await rm(directory, { recursive: true })
    return bytes
  }
  const found = bundles.get(version) ?? make()
  bundles.set(version, found)
  return found
}

/** @param server what `SVC_SERVER` says */
export async function installSvc(server?: string, version?: string): Promise<Svc> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-cli-'))
  const program = join(directory, 'svc.mjs')
  await writeFile(program, await bundled(version), { mode: 0o755 })
  const base = {
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    ...(server !== undefined && { SVC_SERVER: server }),
  }
  const start = (args: readonly string[], { environment = {}, input, rights }: RunOptions = {}): Running => {
    const isAdministrator = process.getuid?.() === 0
    const before = rights === 'of a person' && isAdministrator ? withoutPowers : []
    const [command = '', ...words] = [...before, process.execPath, program, ...args]
    const child = spawn(command, words, {
      cwd: directory,
      env: { ...base, ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    let output = ''
    let complaints = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text))
    if (input !== undefined) child.stdin?.on('error', () => undefined).end(input)
    const ended = once(child, 'close').then(([status]) => ({
      status: status as number | null,
      output,
      complaints,
    }))
    return { child, output: () => output, complaints: () => complaints, ended }
  }
  const run = (args: readonly string[], options?: RunOptions) => start(args, options).ended
  return {
    directory,
    program,
    path: (name) => join(directory, name),
    start,
    run,
    json: async (args, options) => {
      const { output, complaints } = await run([...args, '--json'], options)
      if (output === '') throw new Error(complaints)
      return JSON.parse(output) as unknown
    },
    close: () => rm(directory, { recursive: true, force: true }),
  }
}
