import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

/** A server that accepts requests and sends no response. */
const server = createServer((socket) => {
  socket.on('error', () => undefined).resume()
})
let svc: Svc
let host: string
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
  svc = await installSvc(`http://${host}`)
  await writeFile(svc.path('report'), 'the report')
})
afterAll(async () => {
  server.close()
  await svc.close()
})

const commands: readonly (readonly string[])[] = [
  ['get', 'upload0123456789'],
  ['get', 'ADDRESS'],
  ['info', 'upload0123456789'],
  ['report'],
]

test.each(commands.map((words) => ({ words, line: words.join(' ') })))(
  'svc $line says at a terminal that it waits, and Ctrl-C ends it',
  async ({ words }) => {
    const args = words.map((word) => word.replace('ADDRESS', `http://${host}/file.iso`))
    const { status, screen } = await svcAtTerminal(svc, args, {
      answers: [[`waiting for ${host} · \\d+s`, '\u0003']],
    })
    // The line of the wait is erased.
    expect(screen).toMatch(/\r\p{Cc}\[Kinterrupted\r\n$/u)
    expect(status).toBe(130)
  },
)
