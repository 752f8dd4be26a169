import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seaConfig } from '../../../scripts/bundle/executable-plan.ts'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { commands } from '../../src/commands.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { startAtTerminal, type Answer } from '../support/terminal.ts'

/** The built programs in a terminal: each command once, so that each part of a bundle is loaded. */
let server: Svcd
let svc: Svc
let folder: string
let executable: string

/** An executable of the Node that runs the tests, as `npm run bundle:cli -- --executables` makes it. */
async function makeExecutable(bundle: string): Promise<string> {
  const output = join(folder, 'svc')
  await writeFile(join(folder, 'sea.json'), JSON.stringify(seaConfig(bundle, process.execPath, output)))
  await promisify(execFile)(process.execPath, ['--build-sea', join(folder, 'sea.json')])
  return output
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-executable-'))
  server = await startSvcd(await emptyDirectory(), {
    FEATURE_AUTHENTICATION: 'enabled',
    DEFAULT_ADMIN_LOGIN: 'root',
    DEFAULT_ADMIN_PASSWORD: 'root password',
  })
  svc = await installSvc(server.url)
  executable = await makeExecutable(svc.program)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close(), rm(folder, { recursive: true })])
})
beforeEach(async () => {
  await rm(svc.path('.config'), { recursive: true, force: true })
  await rm(svc.path('.local'), { recursive: true, force: true })
  await rm(svc.path('got'), { recursive: true, force: true })
  await mkdir(svc.path('tree'), { recursive: true })
  await writeFile(svc.path('tree/a.txt'), 'hello\n')
})

/** Approves a login as a user does in a browser. */
async function approve(code: string): Promise<void> {
  const response = await fetch(`${server.url}/auth/local/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'root', password: 'root password' }),
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const xsrf = cookies.find((cookie) => cookie.startsWith('svc-xsrf='))?.split('=')[1]
  const headers = { cookie: cookies.join('; ') }
  await createClient({ baseURL: server.url, headers, xsrfToken: () => xsrf }).approveCliLogin({ code })
}

const programs = [
  ['the bundle', () => [process.execPath, svc.program]],
  ['an executable', () => [executable]],
] as const

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
      await approve(code)
      const { status, screen } = await running.ended
      expect({ status, screen }).toEqual({ status: 0, screen: expect.stringMatching(/[█▀▄ ]{30}/) as string })
      expect(await expectDone(['whoami'])).toContain('root')
      expect(await expectDone(['config'])).toContain('token')
      await expectDone(['logout'])
    })
  })
})
