import {
  getDocument,
  GlobalWorkerOptions,
  version,
  type PDFDocumentLoadingTask,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerURL from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

/** Maximum pixels of a picture in a PDF. Larger ones are left out to save memory. */
const maxImagePixels = 100_000_000

/**
 * Opens a PDF with pdf.js in a worker. Scripts and forms in it are ignored, and only fonts and encodings of the application
 * are loaded. The Content-Security-Policy forbids WebAssembly, so pictures are decoded in JavaScript.
 */
export function openPdf(data: ArrayBuffer): PDFDocumentLoadingTask {
  const folder = (name: string) => new URL(`assets/pdfjs-${version}/${name}/`, document.baseURI).href
  GlobalWorkerOptions.workerSrc = new URL(workerURL, document.baseURI).href
  return getDocument({
    data,
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    useWasm: false,
    enableXfa: false,
    maxImageSize: maxImagePixels,
  })
}
