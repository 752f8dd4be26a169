import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(?:html|m?js|css|svg|json|txt)$/
/** Below this a compressed copy saves nothing worth a file, in bytes. */
const smallest = 512

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

async function precompress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < smallest) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await writeFile(`${file}.gz`, await toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }))
  await writeFile(`${file}.br`, await toBrotli(bytes, quality))
}

/**
 * Writes a `.gz` and a `.br` for every text asset, so that the server does not compress responses.
 * `settings.json` is left alone: people edit it where it is installed, and a stale copy would win over it.
 */
export function precompressAssets(): Plugin {
  let folder = ''
  return {
    name: 'precompress-assets',
    apply: 'build',
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir)
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      const chosen = files.filter(
        (file) => compressible.test(file) && path.basename(file) !== 'settings.json',
      )
      await Promise.all(chosen.map((file) => precompress(path.join(folder, file))))
    },
  }
}
