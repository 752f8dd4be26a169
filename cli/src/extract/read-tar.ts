import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import zlib from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { Failure } from '../errors/failure.ts'
import { throughProgram } from '../files/filter-program.ts'
import type { ArchiveKind } from './archive-kind.ts'
import type { ExtractionLimit } from './extraction-limit.ts'
import type { Member } from './member.ts'

/** Programs that decompress a pipe. A hostile archive could demand more memory. */
const decompressors = {
  'tar.xz': ['xz', '--decompress', '--stdout', '--memlimit-decompress=1GiB'],
  'tar.bz2': ['bzip2', '--decompress', '--stdout'],
} as const

/**
 * The members of a tar archive, in the order of its bytes.
 * @throws Failure, or an error of the reader
 */
export async function* readTar(
  path: string,
  kind: Exclude<ArchiveKind, 'zip'>,
  limit: ExtractionLimit,
): AsyncGenerator<Member> {
  const extractor = extract()
  const source = createReadStream(path, { highWaterMark: 256 * 1024 })
  // An error in the chain reaches the last stream, which is read here.
  const ended = () => undefined
  switch (kind) {
    case 'tar':
      pipeline(source, extractor, ended)
      break
    case 'tar.gz':
      pipeline(source, zlib.createGunzip(), extractor, ended)
      break
    case 'tar.zst':
      pipeline(source, createZstd(), extractor, ended)
      break
    case 'tar.xz':
    case 'tar.bz2':
      pipeline(Readable.from(throughProgram(decompressors[kind], source)), extractor, ended)
      break
  }
  for await (const entry of extractor) {
    limit.addMember()
    const content = counted(entry, limit)
    yield { name: entry.header.name, kind: kindOf(entry.header), bytes: () => content }
    // The next member follows when this one is read or skipped. What is skipped is decompressed, too.
    while ((await content.next()).done !== true);
    entry.resume()
  }
}

function createZstd() {
  // Node has it since 22.15.
  if (!Object.hasOwn(zlib, 'createZstdDecompress'))
    throw new Failure('this Node is too old to read zst archives')
  return zlib.createZstdDecompress()
}

function kindOf({ type }: Header): Member['kind'] {
  if (type === 'directory') return 'folder'
  return type === 'file' || type === 'contiguous-file' ? 'file' : 'other'
}

async function* counted(entry: AsyncIterable<unknown>, limit: ExtractionLimit): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry as AsyncIterable<Uint8Array>) {
    limit.addBytes(chunk.length)
    yield chunk
  }
}
