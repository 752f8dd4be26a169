import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleCli, type BundleOptions } from '../../../scripts/bundle/cli-bundle.ts'

export interface RunResult {
  readonly status: number | null
  readonly output: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  /** The output so far. */
  output(): string
  stderr(): string
  readonly ended: Promise<RunResult>
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  /** Standard input is a pipe to which nothing is written, and which stays open. */
  readonly openInput?: boolean
  /** The working directory, if it is not that of the installation. */
  readonly directory?: string
  /** Removes the capability of root to read every file, since tests may run as root. */
  readonly rights?: 'unprivileged'
}

const withoutRootAccess = ['setpriv', '--bounding-set=-dac_override,-dac_read_search']

/** The program as users install it, in a temporary folder that is also its home. */
export interface Svc {
  readonly directory: string
  readonly program: string
  /** The variables of each command. */
  readonly environment: Readonly<Record<string, string>>
  path(name: string): string
  start(args: readonly string[], options?: RunOptions): Running
  run(args: readonly string[], options?: RunOptions): Promise<RunResult>
  /** Returns the JSON output of a command. */
  json(args: readonly string[], options?: RunOptions): Promise<unknown>
  close(): Promise<void>
}

/** One bundle for each choice of options, shared by all tests of a file. */
const bundles = new Map<string, Promise<Buffer>>()

/**
 * The program as one file: its bytes.
 * @param options a version that it reports, if not the real one; a key with which it verifies updates
 */
export function bundled(options: BundleOptions = {}): Promise<Buffer> {
  const make = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-bundle-'))
    const file = join(directory, 'svc.mjs')
    await bundleCli(file, options)
    const bytes = await readFile(file)
    await rm(directory, { recursive: true })
    return bytes
  }
  const name = JSON.stringify(options)
  const found = bundles.get(name) ?? make()
  bundles.set(name, found)
  return found
}

/** @param server the value of `SVC_SERVER` */
export async function installSvc(server?: string, options?: BundleOptions): Promise<Svc> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-cli-'))
  const program = join(directory, 'svc.mjs')
  await writeFile(program, await bundled(options), { mode: 0o755 })
  const cache = `${directory}-cache`
  const base = {
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    // Not in the home, whose files tests list.
    XDG_CACHE_HOME: cache,
    ...(server !== undefined && { SVC_SERVER: server }),
  }
  const start = (args: readonly string[], options: RunOptions = {}): Running => {
    const { environment = {}, input, openInput = false, rights } = options
    const isRoot = process.getuid?.() === 0
    const before = rights === 'unprivileged' && isRoot ? withoutRootAccess : []
    const [command = '', ...words] = [...before, process.execPath, program, ...args]
    const child = spawn(command, words, {
      cwd: options.directory ?? directory,
      env: { ...base, ...environment },
      stdio: [input === undefined && !openInput ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    let output = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    if (input !== undefined) child.stdin?.on('error', () => undefined).end(input)
    const ended = once(child, 'close').then(([status]) => ({
      status: status as number | null,
      output,
      stderr,
    }))
    return { child, output: () => output, stderr: () => stderr, ended }
  }
  const run = (args: readonly string[], options?: RunOptions) => start(args, options).ended
  return {
    directory,
    program,
    environment: base,
    path: (name) => join(directory, name),
    start,
    run,
    json: async (args, options) => {
      const { output, stderr } = await run([...args, '--json'], options)
      if (output === '') throw new Error(stderr)
      return JSON.parse(output) as unknown
    },
    close: async () => {
      for (const folder of [directory, cache]) await rm(folder, { recursive: true, force: true })
    },
  }
}
