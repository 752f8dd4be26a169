import { parseJson } from '@svc/contract'
import type { ManifestFile } from '@svc/encryption'
import { deviceStorage, readStored, removeStored, writeStored } from '../../base/browser/storage.ts'
import { applicationPath } from './application-path.ts'
import type { SentUploads } from './sent-uploads.ts'

// One item of the storage per file, so that two tabs never overwrite each other's.
const prefix = () => `svc-content ${applicationPath()} `
const prefixOf = (uploadID: string) => `${prefix()}${uploadID} `

function isFile(value: unknown): value is Omit<ManifestFile, 'id'> {
  if (typeof value !== 'object' || value === null) return false
  const { name, size, sha256 } = value as Record<string, unknown>
  return typeof name === 'string' && typeof size === 'number' && typeof sha256 === 'string'
}

function storedKeys(start: string): readonly string[] {
  try {
    return Object.keys(deviceStorage()).filter((key) => key.startsWith(start))
  } catch {
    return []
  }
}

/** Contents of an upload, as this device has sent them. */
export interface SentContents {
  readonly add: (file: ManifestFile) => void
  /** By the ids of the files, also those that another tab or an earlier page has sent. */
  readonly all: () => ReadonlyMap<string, ManifestFile>
  /** Forgets them, once the manifest has arrived or is given up. */
  readonly forget: () => void
}

/** What the manifest of an upload will say about its files. This device keeps it until then, for uploads that are interrupted. */
export function sentContents(uploadID: string): SentContents {
  const own = new Map<string, ManifestFile>()
  const start = prefixOf(uploadID)
  const read = (key: string): readonly (readonly [string, ManifestFile])[] => {
    const value = parseJson(readStored(deviceStorage, key) ?? '')
    const id = key.slice(start.length)
    return isFile(value) ? [[id, { id, name: value.name, size: value.size, sha256: value.sha256 }]] : []
  }
  return {
    add: (file) => {
      own.set(file.id, file)
      const { id, name, size, sha256 } = file
      writeStored(deviceStorage, start + id, JSON.stringify({ name, size, sha256 }))
    },
    all: () => new Map([...storedKeys(start).flatMap(read), ...own]),
    forget: () => {
      removeStored(deviceStorage, start)
    },
  }
}

/** Forgets the contents of uploads that are no longer in the list of this device. */
export function forgetOldContents(sent: Pick<SentUploads, 'find'>): void {
  const ids = new Set(storedKeys(prefix()).map((key) => key.slice(prefix().length).split(' ')[0] ?? ''))
  for (const id of ids) if (sent.find(id) === undefined) removeStored(deviceStorage, prefixOf(id))
}
