import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../server/test/support/until.ts'
import { startServer } from '../support/foreign-servers.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let svc: Svc
beforeEach(async () => {
  svc = await installSvc()
})
afterEach(() => svc.close())

const size = 3_000_000
const parts = async () => (await readdir(svc.directory)).filter((name) => name.endsWith('.part'))

test('a second download of the same file says that another svc downloads it, until that one has ended', async () => {
  let isHeld = true
  await using server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-length': size })
    if (isHeld) response.write(Buffer.alloc(size / 2))
    else response.end(Buffer.alloc(size))
  })
  const line = ['get', `${server.url}/f`]
  const first = svc.start(line)
  await until('the first download writes', async () => (await parts())[0])
  const second = await svc.run(line)
  expect(second).toMatchObject({ status: 5 })
  expect(second.stderr).toContain(`another svc is downloading ${svc.path('f')}`)
  // Another file of that address is not a conflict.
  const elsewhere = svc.start([...line, '-o', 'other'])
  await until('the other download writes', async () => (await parts())[1])
  for (const { child, ended } of [first, elsewhere]) {
    child.kill('SIGKILL')
    await ended
  }
  isHeld = false
  expect(await svc.run(line)).toMatchObject({ status: 0 })
})
