import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startServer } from '../support/foreign-servers.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Servers of tus whose offsets are wrong: svc must neither send for ever nor report a file that is not there. */
let svc: Svc
beforeEach(async () => {
  svc = await installSvc()
  await writeFile(svc.path('file'), 'x'.repeat(1000))
})
afterEach(() => svc.close())

const mebibyte = 1024 * 1024

interface Behaviour {
  /** Offset after a part; undefined cuts the connection. */
  readonly afterPart: (offset: number, length: number, count: number) => number | undefined
  readonly head: number
}

/** @param limit parts after which it ends the upload with an error */
async function startTus({ afterPart, head }: Behaviour, limit = 20) {
  const names: string[] = []
  const parts: { readonly offset: number; readonly length: number }[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const state = (offset: number) => response.setHeader('upload-offset', String(offset))
    if (request.method === 'POST') {
      const [, name = ''] = /filename (\S+)/.exec(String(request.headers['upload-metadata'])) ?? []
      names.push(Buffer.from(name, 'base64').toString())
      response.writeHead(201, { location: '/files/1' }).end()
      return
    }
    if (request.method === 'HEAD') {
      state(head).end()
      return
    }
    const offset = Number(request.headers['upload-offset'])
    const { length } = await buffer(request)
    parts.push({ offset, length })
    const next = afterPart(offset, length, parts.length)
    if (parts.length > limit) response.writeHead(400).end()
    else if (next === undefined) request.socket.destroy()
    else state(next).writeHead(204).end()
  }
  const server = await startServer((request, response) => void handle(request, response))
  return {
    to: `tus+${server.url}/files/`,
    names,
    parts,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const complete = (offset: number, length: number) => offset + length

describe('a server of tus', () => {
  test('that takes no byte of a pipe ends the upload', async () => {
    await using tus = await startTus({ afterPart: (offset) => offset, head: 0 })
    const { status } = await svc.run(['-', '-n', 'piped', '--to', tus.to, '--retries', '2'], {
      input: Buffer.from('abc'),
    })
    expect(status).not.toBe(0)
    expect(tus.parts.length).toBeLessThanOrEqual(4)
  })

  test('that has lost bytes of a pipe ends the upload, because svc does not have them any more', async () => {
    await using tus = await startTus({
      afterPart: (offset, length, count) => (count === 1 ? offset + length : undefined),
      head: 5,
    })
    const input = Buffer.alloc(9 * mebibyte, 'a')
    const { status, stderr } = await svc.run(['-', '-n', 'piped', '--to', tus.to, '--retries', '2'], {
      input,
    })
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('offset 5') as string })
    const [first, ...others] = tus.parts
    expect(others.map(({ offset }) => offset)).toEqual([first?.length])
  })

  test.each([
    ['a file', ['file'], undefined],
    ['a pipe', ['-', '-n', 'piped'], Buffer.from('abc')],
  ])('that states more bytes than %s has is not believed', async (_, files, input) => {
    await using tus = await startTus({ afterPart: () => 5000, head: 5000 })
    const { status, output, stderr } = await svc.run([...files, '--to', tus.to], { ...(input && { input }) })
    expect({ status, output, stderr }).toEqual({
      status: 1,
      output: '',
      stderr: expect.stringContaining('offset 5000') as string,
    })
  })

  test('learns the length of a pipe although the connection of the last, empty part was cut', async () => {
    const input = Buffer.alloc(8 * mebibyte, 'a')
    await using tus = await startTus({
      afterPart: (offset, length, count) => (count === 2 ? undefined : complete(offset, length)),
      head: 8 * mebibyte,
    })
    expect(await svc.run(['-', '-n', 'piped', '--to', tus.to], { input })).toMatchObject({ status: 0 })
    expect(tus.parts.map(({ length }) => length)).toEqual([8 * mebibyte, 0, 0])
  })

  test('gets names without folders', async () => {
    await using tus = await startTus({ afterPart: complete, head: 0 })
    expect(await svc.run(['-n', 'there/name.txt', 'file', '--to', tus.to])).toMatchObject({ status: 0 })
    expect(tus.names).toEqual(['name.txt'])
  })
})
