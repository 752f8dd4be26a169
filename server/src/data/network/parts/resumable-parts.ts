import type { ResumableWrites, ResumePoint } from '../../backend/backend.ts'
import { randomText } from '../../../domain/ids.ts'
import { checkKey } from '../../backend/key.ts'
import { defaultRetryPolicy } from '../retry-policy.ts'
import { appendParts, type ResumablePartsOptions } from './append-parts.ts'
import { partId, parsePartList, suffixLength, formatPartList, type PartList } from './part-list.ts'

/**
 * Resumable files for stores whose objects can only be written as a whole: each part is an object, and the resume point
 * lists them. Names of parts are never reused, so a delayed request of an aborted connection changes no committed part.
 */
export function resumableParts(options: ResumablePartsOptions): ResumableWrites {
  const { store, random, retryPolicy = defaultRetryPolicy } = options
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    async begin(key) {
      checkKey(key)
      return formatPartList({ parts: [], superseded: [] })
    },
    async append(key, from, source, appending) {
      checkKey(key)
      return appendParts(key, from, source, appending, options)
    },
    async finish(key, stored) {
      checkKey(key)
      const { parts, superseded } = parsePartList(stored)
      const nameOf = (id: string) => `${key}/${id}`
      const newName = () => nameOf(partId(stored.offset, randomText(random, suffixLength)))
      const named = parts.map(({ id, size }) => ({ name: nameOf(id), size }))
      const stay = new Set(await store.publish(key, named, newName))
      // By our list as well, because the listing of the store may not show recent writes.
      const listed = await store.list(nameOf(''), '', retryPolicy)
      const known = [...named.map(({ name }) => name), ...superseded.map(nameOf)]
      const names = new Set([...listed, ...known].filter((name) => !stay.has(name)))
      await store.remove([...names], retryPolicy)
    },
    async discard(key, stored) {
      checkKey(key)
      const { parts, superseded } = readable(stored)
      const ids = [...parts.map(({ id }) => id), ...superseded]
      await store.removeAll(key)
      await store.remove(
        ids.map((id) => `${key}/${id}`),
        retryPolicy,
      )
    },
  }
}

/** An unreadable list must not prevent removal: the listing of the store has the parts, too. */
function readable(stored: ResumePoint): PartList {
  try {
    return parsePartList(stored)
  } catch {
    return { parts: [], superseded: [] }
  }
}
