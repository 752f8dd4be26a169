import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/machine/temporary-directory.ts'
import { withLinksFile } from './links-file.ts'

/** The lines of a file of links, and the messages. */
async function writeLinks(froms: readonly string[]) {
  const directory = await temporaryDirectory()
  const messages: string[] = []
  const program = { directory, printToStderr: (line: string) => void messages.push(line) }
  await withLinksFile(program, 'links.tsv', (onRedirects) =>
    onRedirects(froms.map((from) => ({ from, to: '/#/?id=abcdefgh12345678' }))),
  )
  return { text: readFileSync(join(directory, 'links.tsv'), 'utf8'), messages }
}

test('addresses that are paths are written', async () => {
  expect(await writeLinks(['/d?id=a', "/~(b)!*'%20%C3%A4"])).toEqual({
    text: "/d?id=a\t/#/?id=abcdefgh12345678\n/~(b)!*'%20%C3%A4\t/#/?id=abcdefgh12345678\n",
    messages: [],
  })
})

test.each([
  ['/a\tb', '/a\\u0009b'],
  ['/a\nb', '/a\\u000ab'],
  ['/a b', '/a b'],
  ['/a\u2028b', '/a\\u2028b'],
  ['/a\u007f', '/a\\u007f'],
  ['/a"b', '/a"b'],
  ['/a\\b', '/a\\b'],
  ['/a${b}', '/a${b}'],
  ['/a;b', '/a;b'],
  ['~.*', '~.*'],
  ['', ''],
])('the address %j is left out and reported', async (from, shown) => {
  expect(await writeLinks(['/d?id=a', from])).toEqual({
    text: '/d?id=a\t/#/?id=abcdefgh12345678\n',
    messages: [`left out of links.tsv, since it is not an encoded path: ${shown}`],
  })
})
