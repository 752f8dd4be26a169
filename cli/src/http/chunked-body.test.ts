import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentOfChunks } from './chunked-body.ts'

async function read(parts: readonly Buffer<ArrayBuffer>[]): Promise<{ text: string; batches: number }> {
  let text = ''
  let count = 0
  for await (const batch of contentOfChunks(Readable.from(parts.map((part) => [part])))) {
    count += 1
    text += Buffer.concat(batch).toString('latin1')
  }
  return { text, batches: count }
}

const bytes = (text: string) => Buffer.from(text, 'latin1')

test('the content is the same wherever the body is cut, and each batch has one of its parts', async () => {
  const chunk = fc.tuple(
    fc.string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' }),
    fc.constantFrom('', ';name=value', ' ; a="b"'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk),
      fc.constantFrom('', 'x-end: yes\r\n'),
      fc.array(fc.nat({ max: 1000 }), { maxLength: 8 }),
      async (chunks, trailer, cuts) => {
        const body = bytes(
          chunks
            .map(([text, extension]) => `${text.length.toString(16)}${extension}\r\n${text}\r\n`)
            .join('') + `0\r\n${trailer}\r\n`,
        )
        const places = [0, ...cuts.map((cut) => cut % body.length).toSorted((a, b) => a - b), body.length]
        const parts = places.slice(1).map((end, index) => body.subarray(places[index], end))
        expect(await read(parts)).toEqual({
          text: chunks.map(([text]) => text).join(''),
          batches: parts.length,
        })
      },
    ),
  )
})

test.each(['', '3\r\nab', '3\r\nabc', '3\r\nabc\r\n', '3\r\nabc\r\n0\r\n', '0\r\nx: y\r\n'])(
  'a body that ends early is an error: %j',
  async (text) => {
    await expect(read([bytes(text)])).rejects.toThrow('the connection was cut')
  },
)

test.each([
  'x\r\n',
  '-1\r\n',
  '\r\n',
  '3\r\nabcd\r\n',
  '3 4\r\nabc',
  `${'1'.repeat(14)}\r\n`,
  'a;'.repeat(3000),
])('a damaged body is an error: %.20j', async (text) => {
  await expect(read([bytes(text)])).rejects.toThrow('the body of the response is damaged')
})
