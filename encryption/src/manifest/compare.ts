import type { Manifest, ManifestFile } from './manifest-text.ts'

/** A file as the server lists it. */
export interface ListedFile {
  readonly id: string
  readonly name: string
}

/** How the list of a server differs from the manifest. */
export interface ManifestComparison<Listed extends ListedFile> {
  /** Files with the names that they were sent with. */
  readonly expected: ReadonlyMap<Listed, ManifestFile>
  /** Files with other names than they were sent with. */
  readonly renamed: ReadonlyMap<Listed, ManifestFile>
  /** Files that were not sent. */
  readonly added: readonly Listed[]
  /** Files that were sent and are not listed. */
  readonly missing: readonly ManifestFile[]
}

/** Compares the files that a server lists with those that were sent. A file that is listed twice is added the second time. */
export function compareWithManifest<Listed extends ListedFile>(
  { files }: Pick<Manifest, 'files'>,
  listed: readonly Listed[],
): ManifestComparison<Listed> {
  const missing = new Map(files.map((file) => [file.id, file]))
  const expected = new Map<Listed, ManifestFile>()
  const renamed = new Map<Listed, ManifestFile>()
  const added: Listed[] = []
  for (const file of listed) {
    const sent = missing.get(file.id)
    missing.delete(file.id)
    if (sent === undefined) added.push(file)
    else (sent.name === file.name ? expected : renamed).set(file, sent)
  }
  return { expected, renamed, added, missing: [...missing.values()] }
}
