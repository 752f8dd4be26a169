import { expect, test } from 'vitest'
import { parseLink } from './parse-link.ts'

const id = 'aB3dE6gH9jK2mN5p'
const file = 'Q1w2E3r4T5y6U7i8'

test.each([
  [id, { base: undefined, uploadID: id }],
  [`https://x.example/#/?id=${id}`, { base: 'https://x.example', uploadID: id }],
  [`https://x.example/svc/#/?id=${id}`, { base: 'https://x.example/svc', uploadID: id }],
  [
    `http://localhost:8080/#/?id=${id}&file=${file}&t=5`,
    { base: 'http://localhost:8080', uploadID: id, fileID: file },
  ],
  [
    `https://x.example/#/?id=${id}&uploadToken=tok`,
    { base: 'https://x.example', uploadID: id, uploadToken: 'tok' },
  ],
  [
    `https://x.example/#/?id=${id}#key=a-b%20c&d`,
    { base: 'https://x.example', uploadID: id, key: 'a-b c&d' },
  ],
  [`https://x.example/#/?id=${id}&key=word`, { base: 'https://x.example', uploadID: id, key: 'word' }],
  [
    `https://x.example/svc/file/${id}/${file}/a%20b.txt?dl=1`,
    { base: 'https://x.example/svc', uploadID: id, fileID: file },
  ],
  [
    `https://x.example/file/${id}/${file}/a/file/b.txt#key=k`,
    { base: 'https://x.example', uploadID: id, fileID: file, key: 'k' },
  ],
  [`https://x.example/svc/s/${id}#key=k`, { base: 'https://x.example/svc', uploadID: id, key: 'k' }],
  [
    'https://x.example/s/holiday-2026#key=k',
    { base: 'https://x.example', uploadID: 'holiday-2026', key: 'k' },
  ],
  ['https://x.example/svc/s/Holiday', { base: 'https://x.example/svc', uploadID: 'Holiday' }],
  [
    `https://x.example/#/?id=${id}&manifest=1#key=a&manifest=2`,
    { base: 'https://x.example', uploadID: id, manifest: '1', key: 'a&manifest=2' },
  ],
  [
    `https://x.example/#/?id=${id}&manifest=a-_b&file=${file}`,
    { base: 'https://x.example', uploadID: id, fileID: file, manifest: 'a-_b' },
  ],
  [
    `https://x.example/#/?id=${id}#manifest=1#key=k`,
    { base: 'https://x.example', uploadID: id, manifest: '1', key: 'k' },
  ],
  [
    'https://x.example/s/holiday-2026#manifest=1#key=k',
    { base: 'https://x.example', uploadID: 'holiday-2026', manifest: '1', key: 'k' },
  ],
  [
    `https://x.example/file/${id}/${file}/a#manifest=M`,
    { base: 'https://x.example', uploadID: id, fileID: file, manifest: 'M' },
  ],
  [`${id}#manifest=1&key=k`, { base: undefined, uploadID: id, manifest: '1', key: 'k' }],
  [`https://x.example/stream/${id}/${file}/a`, { base: 'https://x.example', uploadID: id, fileID: file }],
  [
    `https://x.example/archive/${id}/all%20of%20it.zip?dl=1`,
    { base: 'https://x.example', uploadID: id, archive: 'all of it.zip' },
  ],
])('%s is parsed', (input, link) => {
  expect(parseLink(input)).toEqual(link)
})

test.each([`https://x.example/#/request?id=${id}`, `https://x.example/svc/#/request?id=${id}&key=k`])(
  'the link of an upload request, %s, is rejected with the commands for it',
  (input) => {
    expect(() => parseLink(input)).toThrow(
      /is the link of an upload request.*svc send LINK FILE….*svc request show LINK/,
    )
  },
)

test.each([
  '',
  'hello',
  'https://x.example/',
  `ftp://x.example/#/?id=${id}`,
  'https://x.example/#/?id=../..',
])('%j is rejected', (input) => {
  expect(() => parseLink(input)).toThrow(/not a link to an upload/)
})
