import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** What an upload prints for scripts. */
let server: Svcd
let svc: Svc

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { MAX_FILE_SIZE_STR: '1 MB', MAX_FILE_PER_UPLOAD: '2000' })
  svc = await installSvc(server.url)
  for (const name of ['one', 'two']) await writeFile(svc.path(name), name)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

const shell = async (script: string) => {
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', `svc() { '${process.execPath}' '${svc.program}' "$@" 2> stderr; }; ${script}`],
    { cwd: svc.directory, env: { ...svc.environment } },
  )
  return stdout
}

const page = /^http:\S+\/#\/\?id=\w{16}$/
const file = /^http:\S+\/file\/\S+$/

describe('a command substitution of a shell', () => {
  test('gets one line: the link of the page', async () => {
    expect((await shell('url=$(svc one two); printf %s "$url"')).split('\n')).toEqual([
      expect.stringMatching(page),
    ])
  })

  test.each([
    ['--link page', [page]],
    ['-q --link page', [page]],
    ['--link file', [file, file]],
    ['-q', [file, file]],
  ])('gets with %s the chosen links', async (options, links) => {
    const lines = (await shell(`url=$(svc ${options} one two); printf %s "$url"`)).split('\n')
    expect(lines).toEqual(links.map((link) => expect.stringMatching(link) as string))
  })
})

test('an unknown kind of link is rejected before anything is sent', async () => {
  const { status, stderr } = await svc.run(['--link', 'short', 'one'])
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('--link must be one of page, file') as string,
  })
})

test('the help says which links --quiet prints', async () => {
  expect((await svc.run(['upload', '--help'])).output).toMatch(/--quiet\s+Print only the links of the files/)
})

describe('--json', () => {
  test('has every file that was not sent, and why', async () => {
    await mkdir(svc.path('tree/locked'), { recursive: true })
    await mkdir(svc.path('tree/hollow'))
    await writeFile(svc.path('tree/good'), 'good')
    await writeFile(svc.path('tree/large'), Buffer.alloc(1_000_001))
    await symlink('/etc/hostname', svc.path('tree/out'))
    await chmod(svc.path('tree/locked'), 0)
    const { status, output } = await svc.run(['tree', 'missing', '--json'], { rights: 'unprivileged' })
    await chmod(svc.path('tree/locked'), 0o700)
    // The server refuses the declaration of a file that is too large, and with it the upload.
    expect(status).toBe(1)
    expect(JSON.parse(output)).toMatchObject({ error: { code: 'file_too_big' } })
    await writeFile(svc.path('tree/large'), 'small')
    await chmod(svc.path('tree/locked'), 0)
    const second = await svc.run(['tree', 'missing', '--json'], { rights: 'unprivileged' })
    await chmod(svc.path('tree/locked'), 0o700)
    expect(second.status).toBe(3)
    const { notSent } = JSON.parse(second.output) as { readonly notSent: readonly object[] }
    expect(notSent).toEqual([
      { path: 'tree/hollow', status: 'skipped', reason: 'empty folder skipped' },
      { path: 'tree/locked', status: 'failed', reason: 'permission denied' },
      { path: 'tree/out', status: 'skipped', reason: 'link to outside the folder skipped' },
      { path: 'missing', status: 'failed', reason: 'no such file' },
    ])
  })

  test('has them also where nothing is sent', async () => {
    expect(await svc.json(['./missing', './none'])).toMatchObject({
      error: { message: 'nothing to send' },
      notSent: [
        { path: './missing', reason: 'no such file' },
        { path: './none', reason: 'no such file' },
      ],
    })
  })

  test('has none where all is sent', async () => {
    expect(await svc.json(['one'])).toMatchObject({ notSent: [] })
  })
})

test('what is left out is reported with --quiet, too', async () => {
  await mkdir(svc.path('partly/hollow'), { recursive: true })
  await writeFile(svc.path('partly/a'), 'a')
  const { status, stderr } = await svc.run(['-q', 'partly'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'partly/hollow: empty folder skipped\n' })
})

test('paths in messages are those that were written', async () => {
  await mkdir(svc.path('partly/hollow'), { recursive: true })
  await writeFile(svc.path('partly/a'), 'a')
  expect((await svc.run(['-q', './partly'])).stderr).toMatch(/^(?:\.\/)?partly\/hollow: /)
  expect((await svc.run(['-q', svc.path('partly')])).stderr).toContain(`${svc.path('partly/hollow')}: `)
})

test('an archive is suggested for more than a thousand files', async () => {
  await mkdir(svc.path('many'))
  for (let index = 0; index <= 1000; index += 1) await writeFile(svc.path(`many/${String(index)}`), 'x')
  const sent = await svc.run(['many'])
  expect(sent).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('-a tar sends them as one') as string,
  })
  expect((await svc.run(['-a', 'tar', 'many'])).stderr).not.toContain('-a tar')
  expect((await svc.run(['one', 'two'])).stderr).not.toContain('-a tar')
}, 600_000)
