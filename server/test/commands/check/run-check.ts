import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Finding } from '@svc/terminal'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { startTestServer, type TestServerOptions } from '../../support/servers/test-server.ts'
import { svcd, type CommandLineOptions } from '../command-line.ts'

/** The directory of a test. */
export let directory: string

/** For `beforeEach` of a file: a hook here would run in the first file of a process only. */
export async function newDirectory(): Promise<void> {
  directory = await emptyDirectory()
}

export type Settings = Readonly<Record<string, string>>

/** By their names in the environment, without the prefix. */
export const environmentOf = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`SVCD_${name}`, value]))

interface Checked {
  readonly status: number
  /** Levels and messages of what was said about something. */
  readonly about: (subject: string) => readonly string[]
}

/** Runs `svcd check` in the directory. */
export async function check(settings: Settings = {}, options: CommandLineOptions = {}): Promise<Checked> {
  const environment = { ...environmentOf({ LISTEN_PORT: '0', ...settings }) }
  const { status, output } = await svcd(directory, ['check', '--json'], { environment, ...options })
  const findings = JSON.parse(output) as readonly Finding[]
  return {
    status,
    about: (subject) =>
      findings.filter(({ about }) => about === subject).map(({ level, message }) => `${level} ${message}`),
  }
}

/** Every file below the directory, with its content. */
export const everything = () =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        join(entry.parentPath, entry.name) + (entry.isFile() ? contentOf(entry.parentPath, entry.name) : '/'),
    )
    .sort()
/** In `-shm` SQLite notes who reads: that is memory, and no part of the data. */
const contentOf = (folder: string, name: string) =>
  name.endsWith('-shm') ? '' : ` ${hash('md5', readFileSync(join(folder, name)))}`

/** A server on the same directory. */
export async function startHere(options: TestServerOptions = {}) {
  const server = await startTestServer({ directory, ...options })
  let open = true
  const close = async () => {
    if (open) await server.close()
    open = false
  }
  onTestFinished(close)
  return { ...server, close }
}
