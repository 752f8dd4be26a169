import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ascii } from './ascii.ts'
import { lazyBuiltins } from './lazy-builtins.ts'

/**
 * Bundles the server's sources and most of its packages into a few files. The server also runs from its sources, but
 * loading a thousand modules takes more than half a second at each start, and 50 MB of memory.
 */
const server = join(import.meta.dirname, '../../server')
// As deep below `server/` as the sources, because they find files of the product by relative paths.
const directory = join(server, 'dist/bundle')

const bundle = await rolldown({
  cwd: server,
  input: {
    main: 'src/main.ts',
    'hash-worker': 'src/io/hash/hash-worker.ts',
    'small-files-worker': 'src/data/file/small-files/small-files-worker.ts',
    'unlink-worker': 'src/data/file/unlink/unlink-worker.ts',
    'bcrypt-worker': 'src/auth/bcrypt-worker.ts',
    'qr-worker': 'src/qr/qr-worker.ts',
    'sqlite-worker': 'src/metadata/dialects/sqlite/sqlite-worker.ts',
  },
  platform: 'node',
  logLevel: 'warn',
  plugins: [lazyBuiltins({ requireCalls: false })],
})
// What Node has compiled of the files before (scripts/server-process.mjs).
await rm(join(server, 'dist/compile-cache'), { recursive: true, force: true })
const { output } = await bundle.write({ dir: directory, format: 'esm', sourcemap: true, cleanDir: true })

for (const file of output) {
  if (file.type === 'chunk') await writeFile(join(directory, file.fileName), ascii(file.code))
}
