import { createHash, randomUUID } from 'node:crypto'
import { crc32c } from './crc32c.ts'

export interface GcsObject {
  readonly name: string
  readonly data: Buffer
  /** Decimal number of 16 digits, a new one for each object that is written. */
  readonly generation: string
  readonly contentType: string
  /** Composite objects have none. */
  readonly md5Hash?: string
  readonly crc32c: string
  /** Time of the last change, as the API writes it. */
  readonly updated: string
  /** The number of objects that a composite one was made of, directly or through its parts. */
  readonly componentCount?: number
}

/** A resumable upload. */
export interface GcsSession {
  readonly name: string
  readonly contentType: string
  /** `ifGenerationMatch`, which is checked at the beginning and at the end. */
  readonly condition: string | null
  received: Buffer
  finished?: GcsObject
  /** Resolves after the last request to the session, even a failed one: they take effect one after another. */
  lastRequest: Promise<void>
}

/** The content of one bucket. */
export interface GcsBucket {
  readonly objects: Map<string, GcsObject>
  readonly sessions: Map<string, GcsSession>
  /** Whether a condition on the generation of an object holds; 0 means that no object exists. */
  holds(name: string, condition: string | null): boolean
  put(object: Pick<GcsObject, 'name' | 'data' | 'contentType' | 'componentCount'>): GcsObject
  /** @returns its id */
  begin(session: Omit<GcsSession, 'received' | 'lastRequest'>): string
}

/** The time of the last write of everything in a bucket. */
const updated = '2026-01-01T00:00:00.000Z'

export function gcsBucket(): GcsBucket {
  const objects = new Map<string, GcsObject>()
  const sessions = new Map<string, GcsSession>()
  let generation = 1_700_000_000_000_000
  return {
    objects,
    sessions,
    holds: (name, condition) => condition === null || (objects.get(name)?.generation ?? '0') === condition,
    put(written) {
      generation += 1
      const { name, data, componentCount } = written
      const object = {
        ...{ ...written, generation: String(generation), crc32c: crc32c(data), updated },
        ...(componentCount === undefined && { md5Hash: createHash('md5').update(data).digest('base64') }),
      }
      objects.set(name, object)
      return object
    },
    begin(session) {
      const id = randomUUID()
      sessions.set(id, { ...session, received: Buffer.alloc(0), lastRequest: Promise.resolve() })
      return id
    },
  }
}

/** The JSON that describes an object; numbers are strings in it. */
export const describeObject = (bucket: string, { data, name, generation, ...rest }: GcsObject) => ({
  ...{ kind: 'storage#object', id: `${bucket}/${name}/${generation}`, name, bucket, generation },
  ...rest,
  ...{ metageneration: '1', storageClass: 'STANDARD', size: String(data.length) },
})
