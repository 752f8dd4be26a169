/** Memory for pieces of files on their way to a store: as much as all uploads together should take. */
export interface PieceMemory {
  /** Bytes of a page. */
  readonly pageSize: number
  /** A page with arbitrary content. There always is one. */
  readonly take: () => Uint8Array
  /** Takes pages back that nothing uses any more. */
  readonly give: (pages: readonly Uint8Array[]) => void
  /** Takes leave of pages whose memory may still be in use. */
  readonly forfeit: (pages: readonly Uint8Array[]) => void
  /** Whether more is taken than should be: who holds enough for a piece now passes it on, instead of gathering more. */
  readonly isShort: () => boolean
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** Google's chunks are multiples of this. */
const pageSize = 256 * kibibyte

/** So many free pages are kept; more are left to the garbage collector. */
const keptPages = 64

/**
 * Nobody waits for memory: a few clients that send nothing more could then hold up all others. Pages are taken as
 * bytes come, and pieces get smaller when there are many uploads.
 * @param bytes that may be taken before pieces get smaller
 */
export function pieceMemory(bytes = 256 * mebibyte): PieceMemory {
  const free: Uint8Array[] = []
  let taken = 0
  return {
    pageSize,
    take() {
      taken += 1
      return free.pop() ?? Buffer.allocUnsafeSlow(pageSize)
    },
    give(pages) {
      taken -= pages.length
      free.push(...pages.slice(0, keptPages - free.length))
    },
    forfeit(pages) {
      taken -= pages.length
    },
    isShort: () => taken * pageSize > bytes,
  }
}
