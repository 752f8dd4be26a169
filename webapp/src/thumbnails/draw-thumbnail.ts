import { headerBytes, readImageHeader, type ImageHeader } from './image-header.ts'

/** Pixels on a side of a tile, and on the longer side of a preview. */
const tileSide = 112
const previewSide = 1200
/** Bytes of an image, and its pixels: a decoded one takes four bytes for each. */
const maxImageBytes = 32_000_000
const maxPixels = 25_000_000
/** The longer side divided by the shorter one. */
const maxRatio = 8
/** ms for the browser to find a frame of a video. */
const videoPatience = 5000

/** A kind of file with a thumbnail. */
export type ThumbnailKind = 'image' | 'video'

/** `tile`: the middle of the picture, as a small square. `preview`: all of it, as large as a page shows it. */
export type ThumbnailLook = 'tile' | 'preview'

const isDecodable = ({ width, height, animated }: ImageHeader): boolean =>
  !animated && width * height <= maxPixels && Math.max(width, height) <= maxRatio * Math.min(width, height)

interface Picture {
  readonly source: CanvasImageSource
  readonly width: number
  readonly height: number
}

/** The part of a picture that a look shows, and its size in pixels. */
function areaOf({ width, height }: Omit<Picture, 'source'>, look: ThumbnailLook) {
  if (look === 'preview') {
    const scale = Math.min(1, previewSide / Math.max(width, height))
    return {
      x: 0,
      y: 0,
      width,
      height,
      toWidth: Math.ceil(width * scale),
      toHeight: Math.ceil(height * scale),
    }
  }
  const edge = Math.min(width, height)
  const [x, y] = [(width - edge) / 2, (height - edge) / 2]
  return { x, y, width: edge, height: edge, toWidth: tileSide, toHeight: tileSide }
}

async function compress(picture: Picture, look: ThumbnailLook): Promise<Blob> {
  const { x, y, width, height, toWidth, toHeight } = areaOf(picture, look)
  const canvas = new OffscreenCanvas(toWidth, toHeight)
  canvas.getContext('2d')?.drawImage(picture.source, x, y, width, height, 0, 0, toWidth, toHeight)
  return canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
}

async function drawImage(image: Blob, look: ThumbnailLook): Promise<Blob | undefined> {
  if (image.size > maxImageBytes) return undefined
  const header = readImageHeader(new Uint8Array(await image.slice(0, headerBytes).arrayBuffer()))
  if (header === undefined || !isDecodable(header)) return undefined
  const { width, height } = header
  // The width alone: the camera may have been turned, which exchanges width and height.
  const wide = width >= height
  const resizeWidth = Math.ceil(
    look === 'tile'
      ? wide
        ? (tileSide * width) / height
        : tileSide
      : wide
        ? previewSide
        : (previewSide * width) / height,
  )
  const source = await createImageBitmap(
    image,
    resizeWidth < width ? { resizeWidth, resizeQuality: 'medium' } : {},
  )
  try {
    return await compress({ source, width: source.width, height: source.height }, look)
  } finally {
    source.close()
  }
}

const eventOf = (video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true, signal })
    const fail = () => {
      reject(new Error('no frame'))
    }
    video.addEventListener('error', fail, { once: true, signal })
    signal.addEventListener('abort', fail, { once: true })
  })

async function drawVideo(content: Blob, look: ThumbnailLook, stop: AbortSignal): Promise<Blob | undefined> {
  const video = document.createElement('video')
  const signal = AbortSignal.any([stop, AbortSignal.timeout(videoPatience)])
  const url = URL.createObjectURL(content)
  try {
    video.muted = true
    video.preload = 'auto'
    video.src = url
    await eventOf(video, 'loadeddata', signal)
    if (video.videoWidth * video.videoHeight > maxPixels) return undefined
    // The first frame is often black.
    const seeked = eventOf(video, 'seeked', signal)
    video.currentTime = Math.min(1, Number.isFinite(video.duration) ? video.duration / 3 : 0)
    await seeked
    return await compress({ source: video, width: video.videoWidth, height: video.videoHeight }, look)
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

/**
 * A small picture of a file: a tile has a few kB. Undefined for files that the browser cannot decode, or should not, because they are
 * animated or would take too much memory.
 */
export async function drawThumbnail(
  content: Blob,
  { kind, look }: { readonly kind: ThumbnailKind; readonly look: ThumbnailLook },
  signal: AbortSignal,
): Promise<Blob | undefined> {
  try {
    return await (kind === 'image' ? drawImage(content, look) : drawVideo(content, look, signal))
  } catch {
    return undefined
  }
}
