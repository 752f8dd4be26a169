import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

/** Files whose names begin with a dot, which programs read as settings. */
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
  await mkdir(svc.path('tree/.ssh'), { recursive: true })
  for (const name of ['.bashrc', '.ssh/config', 'plain']) await writeFile(svc.path(`tree/${name}`), name)
})
afterEach(() => svc.close())

const sent = async (...args: readonly string[]) => (await svc.run(['--link', 'page', ...args])).output.trim()

describe('hidden files of an upload', () => {
  test('are not saved where no one can be asked', async () => {
    const link = await sent('tree')
    const { status, stderr } = await svc.run(['get', link, '-o', 'back'])
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: expect.stringContaining(
        'hidden files are not saved without --hidden: tree/.bashrc, tree/.ssh/config',
      ) as string,
    })
    expect(await readdir(svc.path('back/tree'))).toEqual(['plain'])
    expect(await svc.json(['get', link, '-y', '-o', 'back'])).toMatchObject([
      { name: 'tree/.bashrc', status: 'failed' },
      { name: 'tree/.ssh/config', status: 'failed' },
      { name: 'tree/plain', status: 'present' },
    ])
  })

  test('are saved with --hidden, or under a name that the user gave', async () => {
    const link = await sent('tree')
    expect(await svc.run(['get', link, '--hidden', '-o', 'back'])).toMatchObject({ status: 0 })
    expect(await readFile(svc.path('back/tree/.ssh/config'), 'utf8')).toBe('.ssh/config')
    expect(await svc.run(['get', link, '-f', '*/.bashrc', '-o', '.mine'])).toMatchObject({ status: 0 })
    expect(await readFile(svc.path('.mine'), 'utf8')).toBe('.bashrc')
  })

  test('in an archive refuse the whole archive, which stays', async () => {
    const link = await sent('-a', 'tar', 'tree')
    const { status, stderr } = await svc.run(['get', '-x', link, '-o', 'back'])
    expect({ status, stderr }).toEqual({
      status: 5,
      stderr: expect.stringContaining('hidden files are not saved without --hidden') as string,
    })
    expect(await readdir(svc.path('back'))).toEqual(['tree.tar'])
    expect(await svc.run(['get', '-x', '--hidden', link, '-o', 'back'])).toMatchObject({ status: 0 })
    expect(await readFile(svc.path('back/tree/.bashrc'), 'utf8')).toBe('.bashrc')
  })

  describeWith(['python3'], 'are asked about in a terminal', () => {
    test.each([
      ['y', true],
      ['n', false],
    ])('and the answer is %s', async (key, isSaved) => {
      const link = await sent('tree')
      const { status, screen } = await svcAtTerminal(svc, ['get', link, '-o', 'back'], {
        answers: [['Save hidden files', `${key}\r`]],
      })
      expect(screen).toContain('Save hidden files (tree/.bashrc, tree/.ssh/config)?')
      expect([status, existsSync(svc.path('back/tree/.bashrc'))]).toEqual([isSaved ? 0 : 3, isSaved])
      expect(existsSync(svc.path('back/tree/plain'))).toBe(true)
    })
  })
})
