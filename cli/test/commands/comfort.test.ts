// Conveniences of the command line: QR codes, notifications, profiles and completions.
import { execFile } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { userToken } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { startServer } from '../support/foreign-servers.ts'
import { installSvc, type Svc } from '../support/svc.ts'

const run = promisify(execFile)
let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  svc = await installSvc(server.url)
  await writeFile(svc.path('a.txt'), 'hello\n')
})
afterEach(() => svc.close())

test('--qr draws the link on standard error, and leaves standard output to the link', async () => {
  const { status, output, stderr } = await svc.run(['a.txt', '--qr'])
  expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^http\S+\n$/) as string })
  expect(stderr).toMatch(/[█▀▄ ]{25}\n/)
})

test('--notify shows a notification at the end, and nothing happens without a desktop', async () => {
  expect(await svc.run(['a.txt', '--notify'], { environment: { PATH: svc.directory } })).toMatchObject({
    status: 0,
  })
  await writeFile(svc.path('notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${svc.path('shown')}'\n`, {
    mode: 0o755,
  })
  const environment = { PATH: `${svc.directory}:/usr/bin:/bin` }
  const shown = (words: string) =>
    until(`the notification “${words}”`, async () =>
      (await readFile(svc.path('shown'), 'utf8').catch(() => '')).includes(words) ? true : undefined,
    )
  const { output } = await svc.run(['a.txt', '--notify'], { environment })
  await shown('Upload ended')
  await svc.run(['get', output.trim(), '--notify', '-o', 'back'], { environment })
  await shown('Download ended')
  await svc.run(['get', '0123456789abcdef', '--notify'], { environment })
  await shown('Download failed')
})

test('profiles are composed, and a token goes only to the server of its profile', async () => {
  const tokens: unknown[] = []
  await using other = await startServer((request, response) => {
    tokens.push(request.headers['x-svctoken'])
    response.writeHead(503).end()
  })
  await writeFile(
    svc.path('config.toml'),
    `[profiles.work]\nserver = "${server.url}"\ntoken = "${userToken('a'.repeat(30))}"\nttl = "1d"
[profiles.short]\nttl = "1h"\noneshot = true
[profiles.other]\nserver = "${other.url}"\n`,
    { mode: 0o600 },
  )
  const bare = await installSvc()
  const environment = { SVC_CONFIG: svc.path('config.toml') }
  const options = { environment, directory: svc.directory }
  const { stderr } = await bare.run(['-P', 'work,short', 'a.txt'], options)
  // The server takes no tokens, which proves that it was sent.
  expect(stderr).toContain('signing in is disabled')
  await bare.run(['-P', 'work, other', 'a.txt', '--retries', '0'], options)
  expect(tokens).toEqual([undefined])
  expect(await bare.json(['-P', 'short', '--server', server.url, 'a.txt'], options)).toMatchObject({
    ttl: 3600,
    oneShot: true,
  })
  for (const line of [['config', 'ttl', '1h'], ['logout'], ['login']])
    expect(await bare.run([...line, '-P', 'work,short'], options)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('name one profile') as string,
    })
  expect(await bare.run(['-P', 'work,none', 'a.txt'], options)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no profile none') as string,
  })
  await bare.close()
})

test('bash completes the links of uploads of this computer', async () => {
  const { output } = await svc.run(['a.txt', '--link', 'page'])
  const link = output.trim()
  await symlink(svc.program, svc.path('svc'))
  const { stdout: script } = await run(process.execPath, [svc.program, 'completion', 'bash'])
  // Bash breaks words at colons, so the completion is the rest behind the last one.
  const complete = async (line: string, word: string) => {
    const code = `eval "$1"; COMP_LINE=$2; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(svc get "$3"); COMP_CWORD=2; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = {
      ...svc.environment,
      PATH: `${svc.directory}:${process.execPath.replace(/\/[^/]*$/, '')}:/usr/bin:/bin`,
    }
    const { stdout } = await run('bash', ['--norc', '-c', code, 'bash', script, line, word], { env })
    return stdout.trim()
  }
  expect(await complete('svc get ', '')).toBe(link)
  const [scheme = '', rest = ''] = link.split(/(?<=:)/)
  expect(await complete(`svc get ${scheme}//`, '//')).toBe(rest + link.slice(scheme.length + rest.length))
  expect(await complete('svc get ftp', 'ftp')).toBe('')
})
