import { unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { printable } from '@svc/terminal'
import type { SavedFile } from './save-file.ts'
import type { Progress } from '../output/progress.ts'
import { archiveKind } from '../extract/archive-kind.ts'
import type { ExtractionOptions } from '../extract/extract.ts'

/**
 * Unpacks a downloaded archive and removes it afterwards. Other files stay unchanged.
 * @param saved `present` if the archive existed before: it is then kept, unless overwriting is allowed
 * @returns paths of the resulting files
 * @throws Failure, the signal's reason. The archive stays then.
 */
export async function extractSaved(
  { progress, ...options }: ExtractionOptions & { readonly progress: Progress },
  path: string,
  saved: SavedFile,
): Promise<readonly string[]> {
  const kind = archiveKind(path)
  const name = printable(basename(path))
  if (kind === undefined) {
    progress.report(`${name} is not an archive that can be unpacked: it stays as it is`)
    return [path]
  }
  const { extractArchive } = await import('../extract/extract.ts')
  const { paths, skipped } = await extractArchive(options, path, kind)
  for (const entry of skipped) progress.warn(`${printable(entry)}: skipped (link or device)`)
  if (saved === 'downloaded' || options.existing === 'replace') await unlink(path)
  return paths
}
