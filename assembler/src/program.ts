import { types, unsigned, type Code } from './instructions.ts'

/** A function that takes addresses and counts (`i32`) and returns nothing. */
export interface Procedure<Name extends string = string> {
  readonly name: Name
  readonly parameters: number
  /** Types of the other locals. Their numbers follow those of the parameters. */
  readonly locals: readonly { readonly count: number; readonly type: number }[]
  readonly code: Code
}

const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]
const sized = (code: Code): Code => [...unsigned(code.length), ...code]
const section = (id: number, content: Code): Code => [id, ...sized(content)]
/** A name in ASCII. */
const text = (value: string): Code => sized(Array.from(value, (letter) => letter.charCodeAt(0)))

/** Pages of memory that a program sees. */
export interface MemoryUse {
  readonly pages: number
  /** Shared memory is imported as `of.threads`; unshared memory is exported as `memory`. */
  readonly shared: boolean
}

/** A program in the binary format that `WebAssembly.Module` compiles. */
export function programOf(procedures: readonly Procedure[], memory: MemoryUse): Uint8Array<ArrayBuffer> {
  const kinds = procedures.map(({ parameters }): Code => [
    0x60,
    ...list(Array.from({ length: parameters }, () => [types.i32])),
    0,
  ])
  const bodies = procedures.map(({ locals, code }) =>
    sized([...list(locals.map(({ count, type }) => [...unsigned(count), type])), ...code, 0x0b]),
  )
  const exports = procedures.map(({ name }, index): Code => [...text(name), 0, ...unsigned(index)])
  const pages = unsigned(memory.pages)
  const own = [[0, ...pages]]
  const shared = [[...text('of'), ...text('threads'), 2, 3, ...pages, ...pages]]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(kinds)),
    ...(memory.shared ? section(2, list(shared)) : []),
    ...section(3, list(procedures.map((_, index) => unsigned(index)))),
    ...(memory.shared ? [] : section(5, list(own))),
    ...section(7, list([...(memory.shared ? [] : [[...text('memory'), 2, 0]]), ...exports])),
    ...section(10, list(bodies)),
  ])
}
