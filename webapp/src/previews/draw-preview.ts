import { compress, widthForLonger, wholeOf } from '../thumbnails/draw-thumbnail.ts'
import { withPicture, type Picture, type ThumbnailKind } from '../thumbnails/with-picture.ts'

/** Pixels of the longer side, the first that fits: enough for the page of a single file, and less for pictures with much detail. */
const sides = [640, 480, 320, 200] as const

const quality = 0.7

async function encode(picture: Picture, side: number): Promise<Blob> {
  const area = wholeOf(picture, side)
  const webp = await compress(picture, area, { type: 'image/webp', quality })
  return webp.type === 'image/webp' ? webp : compress(picture, area, { type: 'image/jpeg', quality })
}

async function encodeWithin(picture: Picture, maxBytes: number): Promise<Blob | undefined> {
  for (const side of sides) {
    const encoded = await encode(picture, side)
    if (encoded.size <= maxBytes) return encoded
  }
  return undefined
}

/** The preview of a chosen file, as WebP or JPEG. Undefined for files without a picture, or without one of this size. */
export const drawPreview = (
  content: Blob,
  { kind, maxBytes }: { readonly kind: ThumbnailKind; readonly maxBytes: number },
  signal: AbortSignal,
): Promise<Blob | undefined> =>
  withPicture(content, { kind, widthOf: (size) => widthForLonger(size, sides[0]) }, signal, (picture) =>
    encodeWithin(picture, maxBytes),
  )
