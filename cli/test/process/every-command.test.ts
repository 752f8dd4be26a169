import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { buildSea } from '../../../scripts/bundle/build-sea.ts'
import { clientSea } from '../../../scripts/bundle/executable-plan.ts'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { until } from '../../../server/test/support/until.ts'
import { commands } from '../../src/commands.ts'
import { startFullServer, type FullServer } from '../support/full-server.ts'
import { bundled, installSvc, type Svc } from '../support/svc.ts'
import { startAtTerminal, type Answer } from '../support/terminal.ts'

/** The built programs in a terminal: each command once, so that each part of a bundle is loaded. */
let server: FullServer
let svc: Svc
let folder: string
let executable: string
/** What the server offers: a newer version of the programs. */
let clients: string

/** Makes an executable of the Node that runs the tests. */
const make = (bundle: string, output: string) => {
  buildSea(process.execPath, clientSea(bundle, process.execPath, output))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-executable-'))
  clients = join(folder, 'clients')
  const system = join(clients, `${process.platform}-${process.arch}`)
  await mkdir(system, { recursive: true })
  await writeFile(join(clients, 'svc.mjs'), await bundled())
  make(join(clients, 'svc.mjs'), join(system, 'svc'))
  server = await startFullServer(clients)
  svc = await installSvc(server.url, { version: '0.0.9' })
  executable = join(folder, 'svc')
  make(svc.program, executable)
})
afterAll(async () => {
  await Promise.all([server[Symbol.asyncDispose](), svc.close(), rm(folder, { recursive: true })])
})
beforeEach(async () => {
  await rm(svc.path('.config'), { recursive: true, force: true })
  await rm(svc.path('.local'), { recursive: true, force: true })
  await rm(svc.path('got'), { recursive: true, force: true })
  await mkdir(svc.path('tree'), { recursive: true })
  await writeFile(svc.path('tree/a.txt'), 'hello\n')
})

const programs = [
  ['the bundle', () => [process.execPath, svc.program]],
  ['an executable', () => [executable]],
] as const

test('the second start of an executable takes the compiled program from a cache', async () => {
  const cache = join(folder, 'cache')
  const start = async () => {
    const { stdout, stderr } = await promisify(execFile)(executable, ['--version'], {
      env: { HOME: folder, XDG_CACHE_HOME: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    })
    return stdout + stderr
  }
  expect(await start()).not.toContain(`cache for CommonJS ${executable} was accepted`)
  expect(await readdir(join(cache, 'svc/compiled'))).toHaveLength(1)
  expect(await start()).toContain(`cache for CommonJS ${executable} was accepted`)
})

describeWith(['python3'], 'in a terminal', () => {
  describe.each(programs)('%s', (_name, program) => {
    const run = (args: readonly string[], answers: readonly Answer[] = []) =>
      startAtTerminal(svc, [...program(), ...args], { answers, environment: { BROWSER: 'true' } }).ended
    const expectDone = async (args: readonly string[], answers?: readonly Answer[]) => {
      const { status, screen } = await run(args, answers)
      expect({ status, screen }).toEqual({
        status: 0,
        screen: expect.not.stringMatching(/\n\s+at /) as string,
      })
      return screen
    }
    const linkIn = (screen: string) => /http\S+#\/\?id=\S+/.exec(screen)?.[0] ?? ''

    test('prints the help of every command, and its version', async () => {
      for (const name of Object.keys(commands)) expect(await expectDone([name, '--help'])).toContain(name)
      expect(await expectDone(['help'])).toContain('Usage')
      expect(await expectDone(['--version'])).toMatch(/^\r?\n?\d+\.\d+\.\d+/)
      expect(await expectDone(['man'])).toContain('.TH')
      for (const shell of ['bash', 'zsh', 'fish'])
        expect(await expectDone(['completion', shell])).toContain('svc')
    })

    test.each(['tar', 'tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2', 'zip'])(
      'sends a folder as a %s, and unpacks it',
      async (format) => {
        const link = linkIn(await expectDone(['-a', format, 'tree']))
        expect(await expectDone(['get', '-x', link, '-o', 'got'])).toContain('got/tree/a.txt')
      },
    )

    test('sends, shows, lists, downloads and deletes an encrypted file', async () => {
      const sent = await expectDone(['-s', 'tree/a.txt'])
      const link = linkIn(sent)
      expect(link).toContain('key=')
      expect(await expectDone(['info', link])).toContain('a.txt')
      expect(await expectDone(['ls'])).toContain('a.txt')
      expect(await expectDone(['open', link])).not.toContain('http')
      expect(await expectDone(['get', link, '-o', 'got/'])).toContain('got/a.txt')
      expect(await expectDone(['rm', link], [['Delete', 'y\r']])).toContain('deleted')
      expect((await run(['resume'])).screen).toContain('no unfinished upload')
    })

    test('asks for files, sends them, fetches them and deletes the request', async () => {
      const asked = await expectDone(['request', 'new', 'Notes'])
      expect(asked).toContain('keep a copy')
      const link = /http\S+#\/request\?id=\S+/.exec(asked)?.[0] ?? ''
      expect(await expectDone(['send', link, 'tree/a.txt'])).toContain('receipt')
      expect(await expectDone(['request', 'ls'])).toContain('Notes')
      expect(await expectDone(['request', 'show', link])).toContain('encrypted')
      expect(await expectDone(['request', 'get', link, '-o', 'got'])).toContain('a.txt')
      expect(await expectDone(['request', 'close', link])).toContain('closed')
      expect(await expectDone(['request', 'rm', link], [['Delete', 'y\r']])).toContain('deleted')
    })

    test('logs in with a QR code, and out', async () => {
      const running = startAtTerminal(svc, [...program(), 'login'], { environment: { BROWSER: 'true' } })
      const code = await until('the code is shown', () => /enter the code (\S+):/.exec(running.screen())?.[1])
      await server.approveLogin(code)
      const { status, screen } = await running.ended
      expect({ status, screen }).toEqual({ status: 0, screen: expect.stringMatching(/[█▀▄ ]{30}/) as string })
      expect(await expectDone(['whoami'])).toContain('root')
      expect(await expectDone(['config'])).toContain('token')
      server.mails.length = 0
      const link = linkIn(await expectDone(['tree/a.txt']))
      expect(await expectDone(['mail', link, 'ada@x.example'])).toContain('sends the link to 1 address')
      await until('the email has arrived', () => server.mails.length === 1)
      await expectDone(['logout'])
    })

    test('checks the computer and the server', async () => {
      expect(await expectDone(['doctor'])).toMatch(/ok {4}server: reached in/)
    })

    test('keeps public keys by name, and encrypts for them', async () => {
      const key = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
      await expectDone(['keys', 'add', 'ada', key])
      expect(await expectDone(['keys'])).toContain('ada')
      expect(await expectDone(['info', linkIn(await expectDone(['-r', 'ada', 'tree/a.txt']))])).toContain(
        'age',
      )
      await expectDone(['keys', 'rm', 'ada'])
    })

    test('sends what appears in a folder until Ctrl-C', async () => {
      await mkdir(svc.path('box'), { recursive: true })
      const running = startAtTerminal(svc, [...program(), 'watch', 'box', '--settle', '1s'], {
        answers: [[String.raw`id=\w+`, '\x03']],
      })
      await until('the folder is watched', () => running.screen().includes('watching'))
      await copyFile(svc.path('tree/a.txt'), svc.path('box/a.txt'))
      const { status, screen } = await running.ended
      await rm(svc.path('box'), { recursive: true })
      expect({ status, screen }).toEqual({ status: 130, screen: expect.stringContaining('id=') as string })
    })

    test('serves its tools to a program with a language model', async () => {
      const about = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: about })
      const endOfInput = '\x04'
      expect(
        await expectDone(
          ['mcp'],
          [
            ['', `${message}\r`],
            ['serverInfo', endOfInput],
          ],
        ),
      ).toContain('"title":"Svc')
    })

    test('updates itself', async () => {
      expect((await run(['update', '--check'])).status).toBe(1)
      expect(await expectDone(['update'], [['Install the program', 'y\r']])).toContain('updated ')
      expect(await expectDone(['--version'])).toContain(packageFile.version)
      expect(await expectDone(['update', '--check'])).toContain('is the version that the server offers')
    })
  })
})
