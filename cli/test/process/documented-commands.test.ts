import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from '../../../scripts/docs/commands/blocks.ts'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { emptyDirectory } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { commands } from '../../src/commands.ts'
import { startFullServer, type FullServer } from '../support/full-server.ts'
import { startServer, type ForeignServer } from '../support/foreign-servers.ts'
import { bundled, installSvc, type Svc } from '../support/svc.ts'
import { startAtTerminal, type Answer } from '../support/terminal.ts'

/** The commands of docs/cli.md, as they are typed, in a folder with the files that they name. */
const page = blocksOf(resolve(import.meta.dirname, '../../..'), 'docs/cli.md')
const lines = page.flatMap(({ script }) => script.trim().split('\n'))

let server: FullServer
let token: string
/** What is at the addresses of other servers: public keys, and a file. */
let elsewhere: ForeignServer

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0ouzrZLCmJZHuBDXnEPZ9nCuGcV4VIGqSrNnl+Nmp'

beforeAll(async () => {
  const clients = await emptyDirectory()
  await writeFile(join(clients, 'svc.mjs'), await bundled())
  server = await startFullServer(clients)
  token = await server.newToken()
  elsewhere = await startServer((request, response) => {
    response.end(request.url === '/ada.keys' ? `${publicKey}\n` : 'a film')
  })
})
afterAll(async () => {
  await Promise.all([server[Symbol.asyncDispose](), elsewhere[Symbol.asyncDispose]()])
})

interface Sent {
  readonly url: string
  readonly files: readonly { readonly url: string }[]
}

/** What stands for the links of the page. */
type Links = Readonly<Record<'LINK' | 'FILE' | 'ARCHIVE' | 'REQUEST', string>>

/** A home with the settings, files and links that the page names. */
interface Home {
  readonly svc: Svc
  readonly environment: Readonly<Record<string, string>>
  /** Links for a command: another upload and another request for one that ends them. */
  readonly linksFor: (line: string) => Links
}

async function newHome(): Promise<Home> {
  const svc = await installSvc()
  const bin = svc.path('bin')
  for (const folder of ['bin', 'photos', '.config/svc']) await mkdir(svc.path(folder), { recursive: true })
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${svc.program}' "$@"\n`)
  await chmod(join(bin, 'svc'), 0o755)
  await writeFile(
    svc.path('.config/svc/config.toml'),
    `[profiles.default]\nserver = '${server.url}'\ntoken = '${token}'\ngithub = '${elsewhere.url}'\n`,
    { mode: 0o600 },
  )
  for (const name of ['report.pdf', 'photos/a.jpg']) await writeFile(svc.path(name), name)
  const upload = async () => (await svc.json(['report.pdf', 'photos'])) as Sent
  const [kept, ending, archive] = [
    await upload(),
    await upload(),
    await svc.run(['-q', '-a', 'zip', 'photos']),
  ]
  const request = async () => ((await svc.json(['request', 'new', 'Files'])) as Sent).url
  const [open, closing] = [await request(), await request()]
  await svc.run(['send', open, 'report.pdf'])
  await interruptUpload(svc)
  const linksOf = ({ url, files }: Sent, REQUEST: string): Links => ({
    LINK: url,
    FILE: files[0]?.url ?? '',
    ARCHIVE: archive.output.trim(),
    REQUEST,
  })
  const path = `${bin}:${process.env['PATH'] ?? ''}`
  return {
    svc,
    environment: { ...svc.environment, PATH: path, BROWSER: 'true', MANPAGER: 'cat', LC_ALL: 'C.UTF-8' },
    linksFor: (line) => (/ (?:rm|close) /.test(line) ? linksOf(ending, closing) : linksOf(kept, open)),
  }
}

/** Leaves an unfinished upload. */
async function interruptUpload(svc: Svc): Promise<void> {
  await writeFile(svc.path('large.bin'), randomBytes(1_000_000))
  const running = svc.start(['large.bin', '--limit-rate', '1k'])
  const folder = svc.path('.local/state/svc/unfinished')
  await until('the upload is recorded', async () => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'))
    const records = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return records.some((record) => record.includes('\n'))
  })
  running.child.kill('SIGKILL')
  await running.ended
}

const scriptOf = (line: string, links: Links) =>
  line
    .replaceAll(/\b(?:LINK|FILE|ARCHIVE|REQUEST)\b/g, (name) => `'${links[name as keyof Links]}'`)
    .replace('https://example.org', elsewhere.url)

interface Ran {
  readonly status: number | null
  /** Everything that it prints. */
  readonly text: string
}

/** A command that runs. */
interface Begun {
  readonly text: () => string
  readonly interrupt: () => void
  readonly ended: Promise<Ran>
}

type Mode = (home: Home, script: string, line: string) => Begun

const bash = (script: string) => ['bash', '--norc', '-euo', 'pipefail', '-c', script]

const inPipe: Mode = ({ svc, environment }, script) => {
  const [program = '', ...words] = bash(script)
  const child = spawn(program, words, {
    cwd: svc.directory,
    env: environment,
    // A group of processes, as a terminal has one for each command.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  return {
    text: () => text,
    interrupt: () => process.kill(-(child.pid ?? NaN), 'SIGINT'),
    ended: once(child, 'close').then(([status]) => ({ status: status as number | null, text })),
  }
}

/** What a user types. */
const answersFor = (line: string): readonly Answer[] => {
  if (/^svc (?:request )?rm /.test(line)) return [['Delete', 'y\r']]
  if (line.startsWith('svc watch ')) return [['watching', '\x03']]
  return line.startsWith('svc mcp ') ? [['', '\x04']] : []
}

const inTerminal: Mode = ({ svc, environment }, script, line) => {
  const running = startAtTerminal(svc, bash(script), { answers: answersFor(line), environment })
  return {
    text: running.screen,
    interrupt: () => undefined,
    ended: running.ended.then(({ status, screen }) => ({ status, text: screen })),
  }
}

async function runLine(home: Home, mode: Mode, line: string): Promise<Ran> {
  const begun = mode(home, scriptOf(line, home.linksFor(line)), line)
  if (line.startsWith('svc login')) {
    const code = await until('the code is shown', () => /enter the code (\S+):/.exec(begun.text())?.[1])
    await server.approveLogin(code)
  }
  if (line.startsWith('svc watch ')) {
    await until('the folder is watched', () => begun.text().includes('watching'))
    begun.interrupt()
  }
  return begun.ended
}

test('docs/cli.md has examples of every command, and a test runs each of them', () => {
  const shown = new Set(lines.map((line) => /\bsvc (\w+)/.exec(line)?.[1]))
  expect([...shown]).toEqual(
    expect.arrayContaining(Object.keys(commands).filter((name) => name !== 'upload')),
  )
  expect(page).toHaveLength(Object.keys(commands).length)
})

describeWith(['python3', 'man-db'], 'every command of docs/cli.md runs as it is typed', () => {
  test.concurrent.for([
    ['in a pipe', inPipe],
    ['in a terminal', inTerminal],
  ] as const)('%s', async ([, mode], { expect: expectHere }) => {
    const home = await newHome()
    try {
      for (const line of lines) {
        const { status, text } = await runLine(home, mode, line)
        expectHere({ line, status, text }).toEqual({
          line,
          status: line.startsWith('svc watch ') ? 130 : 0,
          text: expect.not.stringMatching(/\n\s+at /) as string,
        })
      }
    } finally {
      await home.svc.close()
    }
  })
})
