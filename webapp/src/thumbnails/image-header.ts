/** What the first bytes of an image say about it. */
export interface ImageHeader {
  /** Pixels, before the orientation of the camera is applied. */
  readonly width: number
  readonly height: number
  /** Whether it has several frames. */
  readonly animated: boolean
}

/** The bytes in which the header is looked for. Photos may have a preview and a colour profile before their size. */
export const headerBytes = 262_144

const ascii = (bytes: DataView, at: number, length: number): string => {
  let text = ''
  for (let place = at; place < Math.min(at + length, bytes.byteLength); place += 1)
    text += String.fromCharCode(bytes.getUint8(place))
  return text
}

/** PNG (W3C, "Portable Network Graphics", 11.2.1); `acTL` before the image data makes it an animation. */
function readPng(bytes: DataView): ImageHeader {
  let animated = false
  for (let at = 8; at + 8 <= bytes.byteLength; at += 12 + bytes.getUint32(at)) {
    const name = ascii(bytes, at + 4, 4)
    if (name === 'acTL') animated = true
    if (name === 'IDAT') break
  }
  return { width: bytes.getUint32(16), height: bytes.getUint32(20), animated }
}

/** GIF89a. Browsers repeat an animation for the NETSCAPE extension, which every one of several frames has in practice. */
function readGif(bytes: DataView): ImageHeader {
  const animated = ascii(bytes, 0, 2048).includes('NETSCAPE2.0')
  return { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true), animated }
}

/** JPEG (ITU-T T.81, B.2.2): the frame header is in one of the segments before the scan. */
function readJpeg(bytes: DataView): ImageHeader | undefined {
  for (let at = 2; bytes.getUint8(at) === 0xff; at += 2 + bytes.getUint16(at + 2)) {
    const marker = bytes.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5), animated: false }
  }
  return undefined
}

/** WebP (RFC 9649): lossy, lossless, or extended with a flag for animations. */
function readWebp(bytes: DataView): ImageHeader | undefined {
  const small = (at: number) => bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16)
  switch (ascii(bytes, 12, 4)) {
    case 'VP8X':
      return { width: 1 + small(24), height: 1 + small(27), animated: (bytes.getUint8(20) & 2) !== 0 }
    case 'VP8L': {
      const sizes = bytes.getUint32(21, true)
      return { width: 1 + (sizes & 0x3fff), height: 1 + ((sizes >>> 14) & 0x3fff), animated: false }
    }
    case 'VP8 ':
      return {
        width: bytes.getUint16(26, true) & 0x3fff,
        height: bytes.getUint16(28, true) & 0x3fff,
        animated: false,
      }
    default:
      return undefined
  }
}

/** AVIF and HEIF (ISO/IEC 23008-12): the largest of the pictures in the file. The brand of a sequence is an animation's. */
function readHeif(bytes: DataView): ImageHeader | undefined {
  const start = ascii(bytes, 0, 4096)
  let [width, height] = [0, 0]
  for (let at = start.indexOf('ispe'); at !== -1; at = start.indexOf('ispe', at + 4)) {
    width = Math.max(width, bytes.getUint32(at + 8))
    height = Math.max(height, bytes.getUint32(at + 12))
  }
  return width === 0 ? undefined : { width, height, animated: /^(?:avis|hevc|msf1)/.test(start.slice(8)) }
}

function readKnown(bytes: DataView): ImageHeader | undefined {
  const start = ascii(bytes, 0, 12)
  if (start.startsWith('\x89PNG')) return readPng(bytes)
  if (start.startsWith('\xff\xd8')) return readJpeg(bytes)
  if (start.startsWith('GIF8')) return readGif(bytes)
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return readWebp(bytes)
  if (start.slice(4, 8) === 'ftyp') return readHeif(bytes)
  if (start.startsWith('BM'))
    return { width: bytes.getInt32(18, true), height: Math.abs(bytes.getInt32(22, true)), animated: false }
  return undefined
}

/** The header of an image, without decoding it. Undefined for other and for broken files. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  try {
    const header = readKnown(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined
  } catch (error) {
    // The file ends before its header does.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
