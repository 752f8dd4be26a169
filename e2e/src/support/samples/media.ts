import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/** @param rows the pixels, with the filter of each row before it */
function png(header: Buffer, rows: Buffer): Uint8Array<ArrayBuffer> {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

type Pixel = (x: number, y: number) => readonly [red: number, green: number, blue: number]

function drawPicture(width: number, height: number, pixel: Pixel): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_pixel, x) => pixel(x, y)).flat()]),
  )
  return png(header, Buffer.concat(rows))
}

/** A black PNG of one bit per pixel, whose side is in pixels: small as a file, large once it is decoded. */
export const blackPicture = (side: number): Uint8Array<ArrayBuffer> => longPicture(side, side)

/** Like blackPicture, with a width and a height. */
export function longPicture(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1], 8)
  return png(header, Buffer.alloc(height * (1 + Math.ceil(width / 8))))
}

/** Two frames of one pixel each, as a GIF that repeats. */
export const animation = new Uint8Array(
  Buffer.from(
    'R0lGODlhAQABAPAAAP8AAAD/ACH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==',
    'base64',
  ),
)

/**
 * Silence, as WAV with 8,000 bytes per second.
 * @param seconds its length
 */
export function silence(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 8000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + rate * seconds, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(rate * seconds, 40)
  return new Uint8Array(Buffer.concat([header, Buffer.alloc(rate * seconds, 128)]))
}

export const picture = drawPicture(120, 80, (x, y) => [x * 2, y * 3, 120])

/** A landscape of colours with noise, of 4 MB: larger than the images that a page loads whole. */
export function largePicture(): Uint8Array<ArrayBuffer> {
  const noise = randomBytes(1500 * 1000)
  return drawPicture(1500, 1000, (x, y) => {
    const grain = noise[y * 1500 + x] ?? 0
    return [(x / 8 + grain / 2) & 255, (y / 5 + grain / 3) & 255, (120 + grain / 2) & 255]
  })
}
export const sound = silence(5)

const drawnWords = 'BT /F1 24 Tf 20 120 Td (Hello paper) Tj ET 1 0 0 rg 20 20 160 60 re f'
/** Two pages of 200 points, with a font that is not in the file, and a script that runs when it is opened. */
export const pdf = [
  '%PDF-1.7',
  '1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj',
  `4 0 obj<</Length ${String(drawnWords.length)}>>stream\n${drawnWords}\nendstream endobj`,
  '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
  '6 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 400]>>endobj',
  'trailer<</Root 1 0 R>>',
].join('\n')
