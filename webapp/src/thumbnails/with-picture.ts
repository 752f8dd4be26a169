import { headerBytes, readImageHeader, type ImageHeader } from './image-header.ts'

/** Largest image file in bytes. */
const maxImageBytes = 32_000_000
/** Most pixels of an image or a frame; each takes four bytes decoded. */
const maxPixels = 25_000_000
/** The longer side divided by the shorter one. */
const maxRatio = 8
/** ms for the browser to find a frame of a video. */
const videoTimeoutMs = 5000

/** A kind of file with a thumbnail. */
export type ThumbnailKind = 'image' | 'video'

/** A decoded image, or a frame of a video. */
export interface Picture {
  readonly source: CanvasImageSource
  readonly width: number
  readonly height: number
}

type Size = Omit<Picture, 'source'>

const isDecodable = ({ width, height, animated }: ImageHeader): boolean =>
  !animated && width * height <= maxPixels && Math.max(width, height) <= maxRatio * Math.min(width, height)

/** How the picture of a file is decoded. */
export interface Decoding {
  readonly kind: ThumbnailKind
  /** The width in pixels to which an image of a size is decoded, if that is less than its own. */
  readonly widthOf: (size: Size) => number
}

async function withImage<Result>(
  image: Blob,
  widthOf: Decoding['widthOf'],
  use: (picture: Picture) => Promise<Result>,
): Promise<Result | undefined> {
  if (image.size > maxImageBytes) return undefined
  const header = readImageHeader(new Uint8Array(await image.slice(0, headerBytes).arrayBuffer()))
  if (header === undefined || !isDecodable(header)) return undefined
  // The width alone: the camera may have been turned, which exchanges width and height.
  const resizeWidth = Math.ceil(widthOf(header))
  const source = await createImageBitmap(
    image,
    resizeWidth < header.width ? { resizeWidth, resizeQuality: 'medium' } : {},
  )
  try {
    return await use({ source, width: source.width, height: source.height })
  } finally {
    source.close()
  }
}

const eventOf = (video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    video.addEventListener(name, resolve, { once: true, signal })
    const fail = () => {
      reject(new Error('no frame'))
    }
    video.addEventListener('error', fail, { once: true, signal })
    signal.addEventListener('abort', fail, { once: true })
  })

async function withFrame<Result>(
  content: Blob,
  stop: AbortSignal,
  use: (picture: Picture) => Promise<Result>,
): Promise<Result | undefined> {
  const video = document.createElement('video')
  const signal = AbortSignal.any([stop, AbortSignal.timeout(videoTimeoutMs)])
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
    return await use({ source: video, width: video.videoWidth, height: video.videoHeight })
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

/**
 * Decodes the picture of a file.
 * @returns what `use` returns; undefined for files that the browser cannot decode, or should not, because they are animated or
 * would take too much memory
 */
export async function withPicture<Result>(
  content: Blob,
  { kind, widthOf }: Decoding,
  signal: AbortSignal,
  use: (picture: Picture) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await (kind === 'image' ? withImage(content, widthOf, use) : withFrame(content, signal, use))
  } catch {
    return undefined
  }
}
