import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Running, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { MAX_FILE_SIZE_STR: '1 MB' })
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  svc = await installSvc(server.url)
  await mkdir(svc.path('box'))
  await writeFile(svc.path('box/before'), 'before')
})
afterEach(() => svc.close())

async function watching(...options: readonly string[]): Promise<Running> {
  const running = svc.start(['watch', 'box', '--settle', '1s', ...options])
  await until('the folder is watched', () => running.stderr().includes('watching') || undefined)
  return running
}
const links = (running: Running) => running.output().trim().split('\n').filter(Boolean)
const sent = (running: Running, count: number) =>
  until(`${String(count)} files are sent`, () =>
    links(running).length >= count ? links(running) : undefined,
  )
const filesAt = async (link: string) => {
  const { files } = await server.client.upload(/id=(\w+)/.exec(link)?.[1] ?? '')
  return files.map(({ fileName, fileSize }) => [fileName, fileSize])
}

test('what appears in a folder is sent with the options, and nothing else', async () => {
  const running = await watching('--ttl', '1h')
  await writeFile(svc.path('box/.hidden'), 'x')
  await writeFile(svc.path('box/movie.part'), 'x')
  await mkdir(svc.path('box/below'))
  await writeFile(svc.path('box/below/a.txt'), 'a')
  await mkdir(svc.path('moved'))
  await writeFile(svc.path('moved/b.txt'), 'bb')
  await rename(svc.path('moved'), svc.path('box/moved'))
  const found = await sent(running, 2)
  expect((await Promise.all(found.map(filesAt))).flat().sort()).toEqual([
    ['a.txt', 1],
    ['b.txt', 2],
  ])
  expect((await server.client.upload(/id=(\w+)/.exec(found[0] ?? '')?.[1] ?? '')).ttl).toBe(3600)
  // The name of a complete download.
  await rename(svc.path('box/movie.part'), svc.path('box/movie'))
  const [, , third = ''] = await sent(running, 3)
  expect(await filesAt(third)).toEqual([['movie', 1]])
  // A change makes another upload.
  await appendFile(svc.path('box/movie'), 'yz')
  const [, , , fourth = ''] = await sent(running, 4)
  expect(await filesAt(fourth)).toEqual([['movie', 3]])
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ status: 130 })
})

test('a file that cannot be sent is reported, and the next one is sent', async () => {
  const running = await watching()
  await writeFile(svc.path('box/bad'), Buffer.alloc(2_000_000))
  await until('the refusal is reported', () => running.stderr().includes('file too big') || undefined)
  await writeFile(svc.path('box/good'), 'xy')
  const [first = ''] = await sent(running, 1)
  expect(await filesAt(first)).toEqual([['good', 2]])
  running.child.kill('SIGINT')
  await running.ended
})

test('a folder that is missing, and a wrong time, are errors', async () => {
  expect(await svc.run(['watch', 'nothing'])).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('cannot be watched: no such file') as string,
  })
  expect(await svc.run(['watch', 'box', '--settle', '0s'])).toMatchObject({ status: 2 })
  expect(await svc.run(['watch'])).toMatchObject({ status: 2 })
})

test('links to folders, links to outside and pipes are reported, and not sent', async () => {
  await writeFile(svc.path('secret'), 'secret')
  await mkdir(svc.path('outside'))
  await symlink('.', svc.path('box/self'))
  await symlink(svc.path('outside'), svc.path('box/elsewhere'))
  const running = await watching()
  await symlink(svc.path('secret'), svc.path('box/leak'))
  await writeFile(svc.path('outside/private'), 'p')
  await promisify(execFile)('mkfifo', [svc.path('box/pipe')])
  await writeFile(svc.path('box/real'), 'real')
  await symlink('real', svc.path('box/same'))
  await until('the link to a file of the folder is sent', () => links(running)[1])
  await writeFile(svc.path('box/last'), 'last')
  const found = await sent(running, 3)
  expect((await Promise.all(found.map(filesAt))).flat().sort()).toEqual([
    ['last', 4],
    ['real', 4],
    ['same', 4],
  ])
  for (const words of [
    'box/self: link to a folder skipped',
    'box/elsewhere: link to outside the folder skipped',
    'box/leak: link to outside the folder skipped',
    'box/pipe: not a file; skipped',
  ])
    expect(running.stderr().split(words)).toHaveLength(2)
  running.child.kill('SIGINT')
  await running.ended
})

test('other permissions of a file that was there are no change', async () => {
  const running = await watching()
  await chmod(svc.path('box/before'), 0o600)
  await writeFile(svc.path('box/new'), 'n')
  const [first = ''] = await sent(running, 1)
  expect(await filesAt(first)).toEqual([['new', 1]])
  running.child.kill('SIGINT')
  await running.ended
})

test('a file cannot be watched', async () => {
  expect(await svc.run(['watch', 'box/before'], { openInput: true })).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('box/before cannot be watched: not a folder') as string,
  })
})
