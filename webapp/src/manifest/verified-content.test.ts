import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ManifestError } from './manifest-error.ts'
import { verifiedContent } from './verified-content.ts'

async function* chunks(...texts: readonly string[]) {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text))
}
const expected = (content: string) => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  refuse: () => new ManifestError('file_changed'),
})

/** What arrives, and the code of the error at the end. */
async function received(content: ReturnType<typeof verifiedContent>) {
  const texts: string[] = []
  try {
    for await (const chunk of content) texts.push(new TextDecoder().decode(chunk))
  } catch (error) {
    return { texts, code: error instanceof ManifestError ? error.code : error }
  }
  return { texts }
}

test.for([[], ['a'], ['a', 'b', 'c']])(
  'the content %j that was sent arrives in its chunks',
  async (texts) => {
    const content = verifiedContent(chunks(...texts), expected(texts.join('')))
    expect(await received(content)).toEqual({ texts })
  },
)

test.for([
  [['a', 'b', 'x'], 'abc'],
  [['a', 'b', 'c', 'd'], 'abc'],
  [['a', 'b'], 'abc'],
  [['x'], 'a'],
  [[], 'a'],
] as const)('of %j instead of %s, the last chunk does not arrive', async ([texts, sent]) => {
  const content = verifiedContent(chunks(...texts), expected(sent))
  expect(await received(content)).toEqual({ texts: texts.slice(0, -1), code: 'file_changed' })
})

test('a content that is not compared arrives as it is', async () => {
  expect(await received(verifiedContent(chunks('a', 'b'), undefined))).toEqual({ texts: ['a', 'b'] })
})

test('a reader that stops early ends the source', async () => {
  let isEnded = false
  async function* source() {
    try {
      yield* chunks('a', 'b', 'c')
    } finally {
      isEnded = true
    }
  }
  const content = verifiedContent(source(), expected('abc'))
  await content.next()
  await content.return()
  expect(isEnded).toBe(true)
})
