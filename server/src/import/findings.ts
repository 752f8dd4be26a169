/** What an import changed or left out. */
export type FindingKind =
  /** A user who needs a new password. */
  | 'new password'
  /** A file got another name. */
  | 'renamed'
  /** A part of a record was not taken over. */
  | 'changed'
  /** A file that had not arrived completely, was left out. */
  | 'incomplete'
  /** A row belongs to no upload or user. */
  | 'orphan'
  /** A record that this service cannot have, was left out. */
  | 'refused'
  /** A file has no bytes: its upload was left out, or the file. */
  | 'missing'
  /** A file has other bytes than Plik received: its upload was left out, or the file. */
  | 'damaged'

export interface Finding {
  readonly kind: FindingKind
  /** Id of the user or upload there, or of the user here; empty for none. */
  readonly sourceId: string
  /** Id of the file, or null. */
  readonly file: string | null
  readonly detail: string
}

/** Kinds with which something is lost that a download from Plik may still have. */
const losses: ReadonlySet<FindingKind> = new Set(['refused', 'missing', 'damaged'])

/** Findings by kind; the first ones in detail, which limits the memory. */
export interface Findings {
  readonly add: (finding: Finding) => void
  readonly first: readonly Finding[]
  readonly counts: ReadonlyMap<FindingKind, number>
  readonly hasLosses: () => boolean
}

/** @param limit how many findings of each kind are kept in detail */
export function collectFindings(limit: number): Findings {
  const first: Finding[] = []
  const counts = new Map<FindingKind, number>()
  return {
    add(finding) {
      const count = (counts.get(finding.kind) ?? 0) + 1
      counts.set(finding.kind, count)
      if (count <= limit) first.push(finding)
    },
    first,
    counts,
    hasLosses: () => [...counts.keys()].some((kind) => losses.has(kind)),
  }
}
