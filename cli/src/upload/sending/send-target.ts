import type { File } from '@svc/contract'

/** Where the bytes of an item go, because a declared file accepts bytes once. */
export type SendTarget =
  /** A file that the server knows and has not all bytes of. */
  | { readonly kind: 'declared'; readonly file: File }
  /** A file that the server does not know yet. */
  | { readonly kind: 'new' }
  /** The server has all bytes. */
  | { readonly kind: 'arrived'; readonly file: File }

/**
 * @param known the file as the server knows it
 * @param size bytes that it must have on the server
 */
export function targetOf(known: File | undefined, size: number | undefined): SendTarget {
  if (known === undefined) return { kind: 'new' }
  if (known.status === 'missing' || isPartial(known)) return { kind: 'declared', file: known }
  return known.status === 'uploaded' && known.fileSize === size
    ? { kind: 'arrived', file: known }
    : { kind: 'new' }
}

/** Whether the server has a part of a file, after which it continues. */
export const isPartial = ({ status, offset }: File): boolean => status === 'uploading' && offset !== undefined
