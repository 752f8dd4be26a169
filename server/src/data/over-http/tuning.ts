import type { Patience } from './patience.ts'
import type { PieceMemory } from './piece-memory.ts'

/** What tests make smaller. */
export interface NetworkStoreTuning {
  readonly patience?: Patience
  /** Milliseconds without a word from the store. */
  readonly silence?: number
  readonly memory?: PieceMemory
}
