import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Puts the server's sources and most of its packages into a few files. The sources run as they are, too; but a
 * thousand small modules cost more than half a second at each start, and 50 MB that stay.
 */
const server = join(import.meta.dirname, '../server')

const bundle = await rolldown({
  cwd: server,
  input: { main: 'src/main.ts', 'hash-worker': 'src/io/hash-worker.ts' },
  platform: 'node',
  // These find files of their own beside them.
  external: ['pino', 'pino-pretty'],
  logLevel: 'warn',
})

// As deep below `server/` as the sources that look for files of the product from where they are.
await bundle.write({ dir: join(server, 'dist/bundle'), format: 'esm', sourcemap: true, cleanDir: true })
