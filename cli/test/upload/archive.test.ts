import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testWith } from '../../../scripts/tests/needs.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let svc: Svc
const run = promisify(execFile)
const hello = 'hello\n'.repeat(100_000)

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  await mkdir(svc.path('tree/deep'), { recursive: true })
  await writeFile(svc.path('tree/a.txt'), hello)
  await writeFile(svc.path('tree/deep/empty'), '')
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

const content = (name: string) => readFile(svc.path(name), 'utf8')

for (const [format, unpack, needed] of [
  ['tar', 'tar -x -f', []],
  ['tar.gz', 'tar -xz -f', []],
  ['tar.zst', 'tar --zstd -x -f', ['zstd']],
  ['tar.xz', 'tar -xJ -f', ['xz-utils']],
  ['tar.bz2', 'tar -xj -f', ['bzip2']],
  ['zip', 'unzip -q', ['unzip']],
] as const) {
  testWith(needed, `a folder is uploaded as one ${format}, which other programs and svc unpack`, async () => {
    const { output } = await svc.run(['-q', '-a', format, 'tree'])
    expect(output).toMatch(new RegExp(`/tree\\.${format}\\n$`))
    await mkdir(svc.path(`out-${format}`))
    await svc.run(['get', output.trim(), '-o', `out-${format}/archive`])
    await run('sh', ['-c', `${unpack} archive`], { cwd: svc.path(`out-${format}`) })
    const got = await svc.run(['get', '-x', output.trim(), '-o', `own-${format}`])
    expect(got.output.split('\n')).toContain(svc.path(`own-${format}/tree/a.txt`))
    for (const folder of ['out', 'own']) {
      expect(await content(`${folder}-${format}/tree/a.txt`)).toBe(hello)
      expect(await content(`${folder}-${format}/tree/deep/empty`)).toBe('')
    }
    expect(existsSync(svc.path(`own-${format}/tree.${format}`))).toBe(false)
  })
}

test('standard input can be an entry of a zip', async () => {
  const { output } = await svc.run(['-q', '-a', 'zip', '-', '-n', 'all.zip', 'tree'], { input: hello })
  expect(output).toMatch(/\/all\.zip\n$/)
  expect(await svc.json(['get', '-x', output.trim(), '-o', 'piped'])).toMatchObject([
    { extracted: ['stdin', 'tree/a.txt', 'tree/deep/empty'].map((name) => svc.path(`piped/${name}`)) },
  ])
  expect(await content('piped/stdin')).toBe(hello)
})

test('a file that changes before it is packed fails the whole archive', async () => {
  await writeFile(svc.path('later'), hello)
  await run('mkfifo', [svc.path('pipe')])
  const running = svc.start(['-q', '-a', 'zip', 'pipe', 'later'])
  // Opens when svc reads the other end: at that time it has already checked the other file.
  const pipe = await open(svc.path('pipe'), 'w')
  await truncate(svc.path('later'), 10)
  await pipe.close()
  const { status, output, stderr } = await running.ended
  expect({ status, output }).toEqual({ status: 5, output: '' })
  expect(stderr).toContain('later changed during the upload')
})

test('an archive without readable files, or of standard input as a tar, is rejected', async () => {
  expect(await svc.run(['-a', 'tar', 'missing'])).toMatchObject({ status: 5 })
  expect(await svc.run(['-a', 'rar', 'tree'])).toMatchObject({ status: 2 })
  expect(await svc.run(['-a', 'tar', '-'], { input: 'x' })).toMatchObject({ status: 2 })
})

test('xz and bzip2 archives need their programs, and damaged ones are reported', async () => {
  const environment = { PATH: svc.directory }
  for (const [format, program] of [
    ['tar.xz', 'xz'],
    ['tar.bz2', 'bzip2'],
  ] as const) {
    expect(await svc.run(['-a', format, 'tree'], { environment })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`the program ${program} is needed`) as string,
    })
    await writeFile(svc.path(`damaged.${format}`), 'not an archive')
    const { output } = await svc.run(['-q', `damaged.${format}`])
    const { status, stderr } = await svc.run(['get', '-x', output.trim(), '-o', 'damaged'])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(`${program} reports that the data is damaged`) as string,
    })
  }
})
