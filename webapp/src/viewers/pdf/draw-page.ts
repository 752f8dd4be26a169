import { TextLayer, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Maximum pixels of a canvas, the limit of phones. */
const maxPixels = 16_000_000

/** Maximum pieces of text in the text layer of a page. Each is an element; tens of thousands would block the page for seconds. */
const maxWords = 5000

/** A chunk of the text of a page. */
type Words = Awaited<ReturnType<PDFPageProxy['getTextContent']>>

export interface PageDrawing {
  readonly canvas: HTMLCanvasElement
  /** An invisible text layer for selection, search and screen readers. */
  readonly words: HTMLElement
}

/** Passes the text of a page on up to the limit. */
function firstWords() {
  let left = maxWords
  return new TransformStream<Words, Words>({
    transform: (content, controller) => {
      controller.enqueue(content)
      left -= content.items.length
      if (left <= 0) controller.terminate()
    },
  })
}

/**
 * Draws a page of a PDF.
 * @param width CSS pixels
 * @throws the reason of the signal
 */
export async function drawPage(page: PDFPageProxy, width: number, signal: AbortSignal): Promise<PageDrawing> {
  signal.throwIfAborted()
  const scale = width / page.getViewport({ scale: 1 }).width
  const viewport = page.getViewport({ scale })
  const density = Math.min(devicePixelRatio, Math.sqrt(maxPixels / (viewport.width * viewport.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width * density)
  canvas.height = Math.floor(viewport.height * density)
  canvas.ariaHidden = 'true'
  const drawing = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] })

  const words = document.createElement('div')
  words.className = 'words'
  words.style.setProperty('--total-scale-factor', String(scale))
  const layer = new TextLayer({
    textContentSource: page.streamTextContent().pipeThrough(firstWords()),
    container: words,
    viewport,
  })
  const cancel = () => {
    drawing.cancel()
    layer.cancel()
  }
  signal.addEventListener('abort', cancel)
  try {
    await Promise.all([drawing.promise, layer.render()])
  } finally {
    signal.removeEventListener('abort', cancel)
  }
  signal.throwIfAborted()
  return { canvas, words }
}
