import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readImageHeader } from './image-header.ts'

const bytesOf = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (letter) => letter.charCodeAt(0)) : part,
    ),
  )
const number = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
const pngChunk = (name: string, data: readonly number[]) => [
  ...number(data.length),
  ...bytesOf(name),
  ...data,
  ...[0, 0, 0, 0],
]
const png = (width: number, height: number, ...chunks: readonly number[][]) =>
  bytesOf(
    '\x89PNG\r\n\x1a\n',
    pngChunk('IHDR', [...number(width), ...number(height), 8, 2, 0, 0, 0]),
    ...chunks,
    pngChunk('IDAT', [1, 2]),
  )
const webp = (kind: string, ...data: readonly number[]) =>
  bytesOf('RIFF', [0, 0, 0, 0], 'WEBP', kind, [0, 0, 0, 0], data)

test.for([
  ['PNG', png(30_000, 20_000), 30_000, 20_000, false],
  ['APNG', png(4, 3, pngChunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0])), 4, 3, true],
  ['GIF', bytesOf('GIF89a', [4, 1, 3, 0, 0, 0, 0]), 260, 3, false],
  ['an animated GIF', bytesOf('GIF89a', [4, 0, 3, 0, 0, 0, 0, 0x21, 0xff, 11], 'NETSCAPE2.0'), 4, 3, true],
  [
    'JPEG after a segment of the camera',
    bytesOf([255, 0xd8, 255, 0xe1, 0, 4, 9, 9, 255, 0xc4, 0, 2, 255, 0xc2, 0, 17, 8, 0, 3, 1, 4]),
    260,
    3,
    false,
  ],
  ['extended WebP', webp('VP8X', 0, 0, 0, 0, 3, 1, 0, 2, 0, 0), 260, 3, false],
  ['animated WebP', webp('VP8X', 2, 0, 0, 0, 3, 0, 0, 2, 0, 0), 4, 3, true],
  ['lossless WebP', webp('VP8L', 0x2f, 3, 0x80, 0, 0), 4, 3, false],
  ['lossy WebP', webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 4, 1, 3, 0), 260, 3, false],
  [
    'AVIF, by its largest picture',
    bytesOf([0, 0, 0, 16], 'ftypavif', [0, 0, 0, 0], 'ispe', number(0), number(9), number(5), 'ispe', [
      ...number(0),
      ...number(90),
      ...number(50),
    ]),
    90,
    50,
    false,
  ],
  [
    'BMP that is stored from top to bottom',
    bytesOf('BM', Array<number>(16).fill(0), [4, 1, 0, 0, 253, 255, 255, 255]),
    260,
    3,
    false,
  ],
] as const)('the header of %s', ([, bytes, width, height, animated]) => {
  expect(readImageHeader(bytes)).toEqual({ width, height, animated })
})

test.for([
  ['nothing', bytesOf()],
  ['a text', bytesOf('BMW and other cars')],
  ['a PNG that ends in its header', png(4, 3).slice(0, 20)],
  ['a PNG without pixels', png(0, 3)],
  ['a JPEG without a frame', bytesOf([255, 0xd8, 255, 0xda, 0, 2, 0, 0])],
  ['a WebP of an unknown kind', webp('NEW ', 1, 2, 3)],
  ['a HEIF without pictures', bytesOf([0, 0, 0, 16], 'ftypheic')],
] as const)('%s has no header', ([, bytes]) => {
  expect(readImageHeader(bytes)).toBe(undefined)
})

test('any bytes behind any signature end in a header or in none', () => {
  const signatures = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF89a', 'RIFF0000WEBPVP8X', '0000ftypavif', 'BM']
  fc.assert(
    fc.property(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 200 }), (signature, rest) => {
      const header = readImageHeader(bytesOf(signature, [...rest]))
      if (header) expect(header.width).toBeGreaterThan(0)
    }),
  )
})
