const endings = [
  ['.zip', 'zip'],
  ['.tar', 'tar'],
  ['.tar.gz', 'tar.gz'],
  ['.tgz', 'tar.gz'],
  ['.tar.zst', 'tar.zst'],
  ['.tzst', 'tar.zst'],
] as const

export type ArchiveKind = (typeof endings)[number][1]

/** What kind of archive a file is, by its name; undefined for none that can be unpacked. */
export const archiveKind = (name: string): ArchiveKind | undefined =>
  endings.find(([ending]) => name.toLowerCase().endsWith(ending))?.[1]
