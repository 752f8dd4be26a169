import { usageFailure } from '../errors/failure.ts'

export const linkKinds = ['page', 'file'] as const
/** Which links an upload prints: that of its page, or one for each file. */
export type LinkKind = (typeof linkKinds)[number]

/** @throws Failure */
export function parseLinkOption(value: string | undefined): LinkKind | undefined {
  if (value === undefined) return undefined
  const kind = linkKinds.find((name) => name === value)
  if (kind === undefined) throw usageFailure(`--link must be one of ${linkKinds.join(', ')}; not ${value}`)
  return kind
}
