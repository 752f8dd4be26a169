import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { parseJson } from '@svc/contract'
import { StoreUnavailableError } from '../backend/backend.ts'
import { readText } from '../network/client.ts'
import type { SwiftCalls } from './calls.ts'

/** The limits of a cluster. Sizes are in bytes. */
export interface SwiftLimits {
  /** The most segments of a large object. */
  readonly segments: number
  /** The least bytes of a segment other than the last. Old clusters require a mebibyte. */
  readonly leastSegment: number
  readonly objectSize: number
}

/** Swift's defaults, for clusters that do not publish their limits. */
const usual: SwiftLimits = { segments: 1000, leastSegment: 1, objectSize: 5 * 1024 ** 3 }

const Info = Type.Object({
  swift: Type.Object({ max_file_size: Type.Optional(Type.Number()) }),
  slo: Type.Optional(
    Type.Object({
      max_manifest_segments: Type.Optional(Type.Number()),
      min_segment_size: Type.Optional(Type.Number()),
    }),
  ),
})

/**
 * Requests the limits of a cluster.
 * @throws StoreUnavailableError when it has no static large objects
 */
export async function swiftLimits(calls: SwiftCalls): Promise<SwiftLimits> {
  const response = await calls.limits()
  const text = await readText(response)
  if (response.status !== 200) return usual
  const info = parseJson(text)
  if (!Value.Check(Info, info)) return usual
  if (info.slo === undefined)
    throw new StoreUnavailableError('this Swift has no static large objects (slo), which are needed')
  return {
    segments: info.slo.max_manifest_segments ?? usual.segments,
    leastSegment: info.slo.min_segment_size ?? usual.leastSegment,
    objectSize: info.swift.max_file_size ?? usual.objectSize,
  }
}
