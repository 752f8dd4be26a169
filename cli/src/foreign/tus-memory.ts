import { createHash } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'
import { appendDurably } from '../state/durable-file.ts'
import { statePath } from '../config/standard-folders.ts'
import { stateOf, type Item } from '../files/item.ts'
import type { Program } from '../program/program.ts'
import type { TusMemory } from './tus.ts'

/** For bytes that are not the same in another run: a pipe, or a file that is encrypted with a new key. */
export const noMemory: TusMemory = {
  get: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}

/** Remembers where a file went, until it is complete. A file that has changed is another one. */
export function tusMemory(program: Program, endpoint: URL, item: Item): TusMemory {
  if (item.kind === 'stream') return noMemory
  const name = createHash('sha256')
    .update(JSON.stringify([endpoint.href, item.location.toString('latin1'), item.name, stateOf(item)]))
    .digest('hex')
    .slice(0, 16)
  const path = statePath(program, `unfinished/${name}.tus`)
  return {
    async get() {
      const lines = (await readFile(path, 'utf8').catch(() => '')).trimEnd().split('\n')
      return URL.parse(lines.at(-1) ?? '') ?? undefined
    },
    async set(address) {
      // A home folder that is read-only does not prevent an upload.
      await appendDurably(path, `${address.href}\n`).catch(() => undefined)
    },
    async remove() {
      await unlink(path).catch(() => undefined)
    },
  }
}
