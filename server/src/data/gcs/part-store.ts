import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { missingData, StoreUnavailableError } from '../backend/backend.ts'
import pLimit from 'p-limit'
import { withRetries, type RetryPolicy } from '../network/retry-policy.ts'
import { totalSize, type NamedPart, type PartStore } from '../network/parts/part-store.ts'
import { expectStatus, parseJsonResponse, statusOf } from '../network/store-error.ts'
import type { GcsCalls } from './calls.ts'
import { createObject, removeObject, sizeIn, WrongSizeError } from './upload.ts'

/** The most objects that one request composes. */
export const maxComposeSources = 32

const never = new AbortController().signal
const nothing = new Uint8Array()

/**
 * Parts of unfinished files are separate objects, which Google composes without a copy. A resumable session of
 * Google is not used: its bytes cannot be replaced, though an append may have to be undone, it accepts only multiples of
 * 256 KiB before the last byte, and it expires after a week.
 */
export function gcsParts(calls: GcsCalls, prefix: string, retryPolicy: RetryPolicy): PartStore {
  const compose = async (name: string, parts: readonly NamedPart[], signal: AbortSignal) => {
    const names = parts.map((part) => prefix + part.name)
    const object = { calls, name: prefix + name, size: totalSize(parts), retryPolicy, signal }
    try {
      await createObject(object, () => calls.compose(object.name, names, signal))
    } catch (error) {
      throw statusOf(error) === 404 ? missingData(name) : error
    }
  }
  const list = async (begin: string, after: string, waiting: RetryPolicy) => {
    const names: string[] = []
    for (let page: string | undefined = ''; page !== undefined;) {
      const token: string = page
      const listing = await withRetries(
        async () => pageOf(await calls.list(prefix + begin, prefix + begin + after, token)),
        waiting,
      )
      names.push(...(listing.items ?? []).map(({ name }) => name.slice(prefix.length)))
      page = listing.nextPageToken
    }
    return names
  }
  const remove = async (names: readonly string[], waiting: RetryPolicy) => {
    const limit = pLimit(8)
    await Promise.all(names.map((name) => limit(() => removeObject(calls, prefix + name, waiting))))
  }
  /** Whether the finished file exists already, with the expected size. */
  const isPublished = (key: string, size: number) =>
    withRetries(async () => {
      const response = await calls.describe(prefix + key)
      const description = await expectStatus('an object', response, 200, 404)
      if (response.status === 404) return false
      if (sizeIn(description) !== size) throw new WrongSizeError(`the store has another object under ${key}`)
      return true
    }, retryPolicy)

  return {
    write: (name, bytes, signal) => {
      const object = { calls, name: prefix + name, size: bytes.length, retryPolicy, signal }
      return createObject(object, () => calls.insert(object.name, bytes, signal))
    },
    merge: compose,
    exists: (name) =>
      withRetries(async () => {
        const response = await calls.describe(prefix + name)
        await expectStatus('an object', response, 200, 404)
        return response.status === 200
      }, retryPolicy),
    list,
    remove,
    async publish(key, parts, newName) {
      const size = totalSize(parts)
      if (await isPublished(key, size)) return []
      if (parts.length === 0) {
        const object = { calls, name: prefix + key, size, retryPolicy, signal: never }
        await createObject(object, () => calls.insert(object.name, nothing, never))
        return []
      }
      let left = parts
      while (left.length > maxComposeSources) left = await composeEach(left, newName, compose)
      await compose(key, left, never)
      return []
    },
    async removeAll(key) {
      await removeObject(calls, prefix + key, retryPolicy)
      await remove(await list(`${key}/`, '', retryPolicy), retryPolicy)
    },
  }
}

/** Composes each group of `maxComposeSources` parts into one. */
async function composeEach(
  parts: readonly NamedPart[],
  newName: () => string,
  compose: PartStore['merge'],
): Promise<readonly NamedPart[]> {
  const composed: NamedPart[] = []
  for (let start = 0; start < parts.length; start += maxComposeSources) {
    const sources = parts.slice(start, start + maxComposeSources)
    const whole = { name: newName(), size: totalSize(sources) }
    await compose(whole.name, sources, never)
    composed.push(whole)
  }
  return composed
}

const Page = Type.Object({
  items: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
  nextPageToken: Type.Optional(Type.String()),
})

async function pageOf(response: Parameters<typeof expectStatus>[1]): Promise<Type.Static<typeof Page>> {
  const page = parseJsonResponse('a listing', await expectStatus('a listing', response, 200))
  if (!Value.Check(Page, page)) throw new StoreUnavailableError('a listing of the bucket cannot be read')
  return page
}
