import { withPicture, type Picture, type ThumbnailKind } from './with-picture.ts'

/** Pixels on a side of a tile, and on the longer side of a preview. */
const tileSide = 112
const previewSide = 1200

/** `tile`: the middle of the picture, as a small square. `preview`: all of it, as large as a page shows it. */
export type ThumbnailLook = 'tile' | 'preview'

type Size = Omit<Picture, 'source'>

/** The part of a picture that a drawing shows, and its size in pixels. */
interface Area extends Size {
  readonly x: number
  readonly y: number
  readonly toWidth: number
  readonly toHeight: number
}

/** The middle of a picture. */
function tileOf({ width, height }: Size): Area {
  const edge = Math.min(width, height)
  const [x, y] = [(width - edge) / 2, (height - edge) / 2]
  return { x, y, width: edge, height: edge, toWidth: tileSide, toHeight: tileSide }
}

/**
 * All of a picture.
 * @param side the maximum of pixels of its longer side
 */
export function wholeOf({ width, height }: Size, side: number): Area {
  const scale = Math.min(1, side / Math.max(width, height))
  return { x: 0, y: 0, width, height, toWidth: Math.ceil(width * scale), toHeight: Math.ceil(height * scale) }
}

/** The width at which the longer side of an image has some pixels. */
export const widthForLonger = ({ width, height }: Size, side: number): number =>
  width >= height ? side : (side * width) / height

const widthForShorter = ({ width, height }: Size, side: number): number =>
  width >= height ? (side * width) / height : side

/** Draws a part of a picture, without the metadata of its file. Some browsers write PNG instead of WebP. */
export async function compress(
  { source }: Picture,
  { x, y, width, height, toWidth, toHeight }: Area,
  { type = 'image/webp', quality = 0.8 }: ImageEncodeOptions = {},
): Promise<Blob> {
  const canvas = new OffscreenCanvas(toWidth, toHeight)
  const context = canvas.getContext('2d')
  if (type === 'image/jpeg' && context) {
    // A transparent picture would become black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, toWidth, toHeight)
  }
  context?.drawImage(source, x, y, width, height, 0, 0, toWidth, toHeight)
  return canvas.convertToBlob({ type, quality })
}

/** A small picture of a file: a tile has a few kB. Undefined for files without one (`withPicture`). */
export const drawThumbnail = (
  content: Blob,
  { kind, look }: { readonly kind: ThumbnailKind; readonly look: ThumbnailLook },
  signal: AbortSignal,
): Promise<Blob | undefined> =>
  withPicture(
    content,
    {
      kind,
      widthOf: (size) =>
        look === 'tile' ? widthForShorter(size, tileSide) : widthForLonger(size, previewSide),
    },
    signal,
    (picture) => compress(picture, look === 'tile' ? tileOf(picture) : wholeOf(picture, previewSide)),
  )
