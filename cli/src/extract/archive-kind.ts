const endings = [
  ['.zip', 'zip'],
  ['.tar', 'tar'],
  ['.tar.gz', 'tar.gz'],
  ['.tgz', 'tar.gz'],
  ['.tar.zst', 'tar.zst'],
  ['.tzst', 'tar.zst'],
  ['.tar.xz', 'tar.xz'],
  ['.txz', 'tar.xz'],
  ['.tar.bz2', 'tar.bz2'],
  ['.tbz2', 'tar.bz2'],
  ['.tbz', 'tar.bz2'],
] as const

export type ArchiveKind = (typeof endings)[number][1]

/** The kind of an archive by its name; undefined for files that cannot be unpacked. */
export const archiveKind = (name: string): ArchiveKind | undefined =>
  endings.find(([ending]) => name.toLowerCase().endsWith(ending))?.[1]
