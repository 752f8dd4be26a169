import {
  getDocument,
  GlobalWorkerOptions,
  version,
  type PDFDocumentLoadingTask,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerURL from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

/** Pixels of a picture in a paper: what is larger is left out, rather than taking the memory of the page. */
const mostImagePixels = 100_000_000

/**
 * Reads a paper with pdf.js, in a worker. Programs and forms in it are ignored, and nothing is fetched but our own files:
 * fonts and encodings that it leaves out. The Content-Security-Policy allows no WebAssembly, so pictures are decoded without.
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
    maxImageSize: mostImagePixels,
  })
}
