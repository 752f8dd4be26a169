import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
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

test('Ctrl-C ends a response that stalls after its beginning', async () => {
  const stalled = Promise.withResolvers<undefined>()
  const stalling = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () =>
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
          () => {
            stalled.resolve(undefined)
          },
        ),
      )
  })
  await once(stalling.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void stalling.close())
  const address = `http://127.0.0.1:${String((stalling.address() as AddressInfo).port)}`
  const running = svc.start(['info', `${address}/#/?id=upload0123456789`])
  await stalled.promise
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ status: 130 })
})
