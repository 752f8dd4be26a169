import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGzip, createZstdCompress } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { localFailure, usageFailure } from '../failure.ts'
import { reasonOf } from '../output/reasons.ts'
import type { FileItem, Item, StreamItem } from './item.ts'

export const formats = ['tar', 'tar.gz', 'tar.zst'] as const
export type Format = (typeof formats)[number]

const unpackers: Readonly<Record<Format, readonly string[]>> = {
  tar: ['tar', 'x'],
  'tar.gz': ['tar', 'xz'],
  'tar.zst': ['tar', '--zstd', '-x'],
}

/** @throws Failure */
export function formatOption(written: string | undefined): Format | undefined {
  if (written === undefined) return undefined
  const format = formats.find((name) => name === written)
  if (format === undefined) throw usageFailure(`--archive is one of ${formats.join(', ')}; not ${written}`)
  return format
}

/**
 * All files as one archive, made while it is sent: nothing of it lies on the disk or in memory.
 * @param name of the archive, with its ending; otherwise it is that of the only path
 */
export function archiveOf(items: readonly Item[], format: Format, name: string | undefined): StreamItem {
  const files = items.map((item) => {
    if (item.kind !== 'file')
      throw usageFailure('an archive is made of files and folders, whose sizes are known')
    return item
  })
  return {
    kind: 'stream',
    name: name ?? `${nameOf(files)}.${format}`,
    unpack: unpackers[format],
    open: () => {
      const archive = pack()
      fill(archive, files).catch((error: unknown) => {
        archive.destroy(error instanceof Error ? error : new Error(String(error)))
      })
      const bytes = Readable.from(archive, { objectMode: false })
      const compress = compressor(format)
      // What fails is told by the stream that is handed out.
      return compress === undefined ? bytes : pipeline(bytes, compress, () => undefined)
    },
  }
}

function nameOf(files: readonly FileItem[]): string {
  const tops = new Set(files.map(({ name }) => name.split('/')[0] ?? name))
  const [only = 'archive'] = tops
  return tops.size === 1 ? basename(only) : 'archive'
}

function compressor(format: Format) {
  switch (format) {
    case 'tar':
      return undefined
    case 'tar.gz':
      return createGzip()
    case 'tar.zst':
      return createZstdCompress()
  }
}

async function fill(archive: Pack, files: readonly FileItem[]): Promise<void> {
  for (const file of files) await add(archive, file)
  archive.finalize()
}

async function add(archive: Pack, file: FileItem): Promise<void> {
  const mtime = new Date(Number(file.changedAt / 1_000_000n))
  const entry = archive.entry({ name: file.name, size: file.size, mtime, mode: 0o644 })
  let read = 0
  try {
    for await (const chunk of createReadStream(file.path, {
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Buffer>) {
      read += chunk.length
      if (read > file.size) break
      if (!entry.write(chunk))
        await new Promise<void>((resolve) => {
          entry.once('drain', () => {
            resolve()
          })
        })
    }
  } catch (error) {
    throw localFailure(`${file.path}: ${reasonOf(error)}`, error)
  }
  if (read !== file.size) throw localFailure(`${file.path} changed while it was sent`)
  await new Promise<void>((resolve, reject) => {
    entry.once('error', reject)
    entry.once('finish', () => {
      resolve()
    })
    entry.end(undefined)
  })
}
