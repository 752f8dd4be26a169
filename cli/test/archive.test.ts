import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../server/test/support/svcd.ts'
import { installSvc, type Svc } from './support/svc.ts'

let server: Svcd
let svc: Svc

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  await mkdir(svc.path('tree/deep'), { recursive: true })
  await writeFile(svc.path('tree/a.txt'), 'hello\n'.repeat(100_000))
  await writeFile(svc.path('tree/deep/empty'), '')
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

test.each([
  ['tar', '-x'],
  ['tar.gz', '-xz'],
  ['tar.zst', '--zstd -x'],
])('a folder goes as one %s, which tar unpacks', async (format, flags) => {
  const { output } = await svc.run(['-q', '-a', format, 'tree'])
  expect(output).toMatch(new RegExp(`/tree\\.${format}\\n$`))
  await mkdir(svc.path(`out-${format}`))
  await svc.run(['get', output.trim(), '-o', 'archive', '--yes'])
  await promisify(execFile)('sh', ['-c', `tar ${flags} -f archive -C out-${format}`], { cwd: svc.directory })
  expect(await readFile(svc.path(`out-${format}/tree/a.txt`), 'utf8')).toBe('hello\n'.repeat(100_000))
  expect(await readFile(svc.path(`out-${format}/tree/deep/empty`), 'utf8')).toBe('')
})

test('an archive of nothing that can be read, or of standard input, is refused', async () => {
  expect(await svc.run(['-a', 'tar', 'missing'])).toMatchObject({ status: 5 })
  expect(await svc.run(['-a', 'rar', 'tree'])).toMatchObject({ status: 2 })
  expect(await svc.run(['-a', 'tar', '-'], { input: 'x' })).toMatchObject({ status: 2 })
})
