import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

const root = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** What pdf.js fetches by itself: fonts and encodings that a paper may leave out, and decoders in plain JavaScript. */
const wanted =
  /^(?:LICENSE$|cmaps\/|standard_fonts\/|wasm\/(?:LICENSE_(?:PDFJS_)?(?:JBIG2|OPENJPEG)|.*_nowasm_fallback\.js)$)/

/** Puts the files of pdf.js, with their licences, into a folder that is called after its version. */
export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    apply: 'build',
    async generateBundle() {
      const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
        readonly version: string
      }
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      for (const file of files.filter((name) => wanted.test(name))) {
        const source = await readFile(path.join(root, file))
        this.emitFile({ type: 'asset', fileName: `assets/pdfjs-${version}/${file}`, source })
      }
    },
  }
}
