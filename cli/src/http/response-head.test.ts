import { expect, test } from 'vitest'
import { bodyLength, readHead } from './response-head.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const answer = 'HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag:"x" \r\nX-Empty:\r\n\r\n'

test('a head is read when all of it has come, however it comes', () => {
  for (let length = 0; length < answer.length; length += 1)
    expect(readHead(bytes(answer.slice(0, length)))).toBeUndefined()
  const found = readHead(bytes(`${answer}hello`))
  expect(found).toMatchObject({ end: answer.length, head: { status: 206, reason: 'Partial Content' } })
  expect([...(found?.head.headers ?? [])]).toEqual([
    ['content-length', '5'],
    ['etag', '"x"'],
    ['x-empty', ''],
  ])
})

test('interim answers are passed over', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  expect(readHead(bytes(early))).toBeUndefined()
  expect(readHead(bytes(early + answer))?.end).toBe(early.length + answer.length)
})

test.each([
  'SSH-2.0-x\r\n\r\n',
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.1 200\r\nno colon\r\n\r\n',
  'x'.repeat(70_000),
])('what is no answer is refused: %.20s', (text) => {
  expect(() => readHead(bytes(text))).toThrow(TypeError)
})

test.each([
  ['Content-Length: 12', 12],
  ['Content-Length: 0', 0],
  ['Content-Length: -1', undefined],
  ['Content-Length: 1, 2', undefined],
  ['Transfer-Encoding: chunked\r\nContent-Length: 12', undefined],
  ['X: y', undefined],
])('%j tells that the body has %j bytes', (headers, length) => {
  const found = readHead(bytes(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`))
  expect(found && bodyLength(found.head)).toBe(length)
})
