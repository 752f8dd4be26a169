import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { archiveNames } from '@svc/contract'
import { archiveLayout, type ArchiveLayout } from '../../src/core/archive/archive-layout.ts'

export interface SourceFile {
  readonly name: string
  readonly content: Uint8Array
}

export const modified = Date.parse('2026-03-04T05:06:07Z')

/**
 * Writes the archive of some files to disk as a download would.
 * @returns the names of the entries
 */
export async function writeArchive(path: string, files: readonly SourceFile[]): Promise<readonly string[]> {
  const names = archiveNames(files.map((file) => file.name))
  const layout = archiveLayout(
    files.map(({ content }, index) => ({
      name: names[index] ?? '',
      size: content.length,
      crc32: crc32(content),
      modified,
    })),
  )
  await writeLayout(path, layout, (index) => files[index]?.content)
  return names
}

/** Writes a layout to disk; an entry without content becomes a hole, which reads as zeros. */
export async function writeLayout(
  path: string,
  layout: ArchiveLayout,
  contentOf: (index: number) => Uint8Array | undefined,
): Promise<void> {
  const file = await open(path, 'w')
  try {
    let at = 0
    let gathered: Uint8Array[] = []
    const flush = async () => {
      const bytes = Buffer.concat(gathered)
      gathered = []
      if (bytes.length > 0) await file.write(bytes, 0, bytes.length, at)
      at += bytes.length
    }
    for (const segment of layout.segments(0, layout.size - 1)) {
      const bytes = segment.kind === 'bytes' ? segment.bytes : contentOf(segment.index)
      if (bytes !== undefined) {
        gathered.push(bytes)
      } else if (segment.kind === 'entry') {
        await flush()
        at += segment.length
      }
    }
    await flush()
  } finally {
    await file.close()
  }
}
