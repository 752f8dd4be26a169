import { expect, test } from 'vitest'
import { bodyFraming, readHead } from './response-head.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const response = 'HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag:"x" \r\nX-Empty:\r\n\r\n'

test('a head is parsed only when it is complete', () => {
  for (let length = 0; length < response.length; length += 1)
    expect(readHead(bytes(response.slice(0, length)))).toBeUndefined()
  const found = readHead(bytes(`${response}hello`))
  expect(found).toMatchObject({ end: response.length, head: { status: 206, reason: 'Partial Content' } })
  expect([...(found?.head.headers ?? [])]).toEqual([
    ['content-length', '5'],
    ['etag', '"x"'],
    ['x-empty', ''],
  ])
})

test('interim responses are skipped', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  expect(readHead(bytes(early))).toBeUndefined()
  expect(readHead(bytes(early + response))?.end).toBe(early.length + response.length)
})

test.each([
  'SSH-2.0-x\r\n\r\n',
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.1 200\r\nno colon\r\n\r\n',
  'x'.repeat(70_000),
])('an invalid response head is rejected: %.20s', (text) => {
  expect(() => readHead(bytes(text))).toThrow(TypeError)
})

test.each([
  ['Content-Length: 12', { length: 12 }],
  ['Content-Length: 0', { length: 0 }],
  ['Content-Length: -1', undefined],
  ['Content-Length: 1, 2', undefined],
  ['Transfer-Encoding: Chunked\r\nContent-Length: 12', 'chunked'],
  ['Transfer-Encoding: gzip, chunked', undefined],
  ['Content-Encoding: gzip\r\nContent-Length: 12', undefined],
  ['X: y', 'close'],
])('the head %j announces a body of %j', (headers, framing) => {
  const found = readHead(bytes(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`))
  expect(found && bodyFraming(found.head)).toEqual(framing)
})

test.each([204, 304])('a response with status %i has no body', (status) => {
  const found = readHead(bytes(`HTTP/1.1 ${String(status)} X\r\n\r\n`))
  expect(found && bodyFraming(found.head)).toEqual({ length: 0 })
})
