import { types, unsigned, type Code } from './instructions.ts'

/** A function that takes addresses and counts (`i32`) and returns nothing. */
export interface Procedure<Name extends string = string> {
  readonly name: Name
  readonly parameters: number
  /** Types of the other locals. Their indices follow those of the parameters. */
  readonly locals: readonly { readonly count: number; readonly type: number }[]
  readonly code: Code
}

const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]
const sized = (code: Code): Code => [...unsigned(code.length), ...code]
const section = (id: number, content: Code): Code => [id, ...sized(content)]
/** A name in ASCII. */
const text = (value: string): Code => sized(Array.from(value, (letter) => letter.charCodeAt(0)))

/** Pages of memory that a module sees. */
export interface MemoryUse {
  readonly pages: number
  /** Shared memory is imported as `env.memory`; unshared memory is exported as `memory`. */
  readonly shared: boolean
}

/** The sections of a module (WebAssembly Core Specification, 5.5.2). */
const sections = { type: 1, import: 2, function: 3, memory: 5, export: 7, code: 10 } as const
/** What a module imports or exports (5.5.5, 5.5.10). */
const kinds = { function: 0, memory: 2 } as const
/** The limits of a memory: a minimum, or a minimum and a maximum of shared memory (5.3.7, and the proposal of threads). */
const memoryLimits = { minimum: 0, shared: 3 } as const
const functionType = 0x60
const end = 0x0b
/** `\0asm` and the version of the format. */
const preamble = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

/** A module in the binary format that `WebAssembly.Module` compiles. */
export function moduleOf(procedures: readonly Procedure[], memory: MemoryUse): Uint8Array<ArrayBuffer> {
  const functionTypes = procedures.map(({ parameters }): Code => [
    functionType,
    ...list(Array.from({ length: parameters }, () => [types.i32])),
    0,
  ])
  const bodies = procedures.map(({ locals, code }) =>
    sized([...list(locals.map(({ count, type }) => [...unsigned(count), type])), ...code, end]),
  )
  const exports = procedures.map(({ name }, index): Code => [
    ...text(name),
    kinds.function,
    ...unsigned(index),
  ])
  const pages = unsigned(memory.pages)
  const own = [[memoryLimits.minimum, ...pages]]
  const shared = [[...text('env'), ...text('memory'), kinds.memory, memoryLimits.shared, ...pages, ...pages]]
  const ownExport = [[...text('memory'), kinds.memory, 0]]
  return Uint8Array.from([
    ...preamble,
    ...section(sections.type, list(functionTypes)),
    ...(memory.shared ? section(sections.import, list(shared)) : []),
    ...section(sections.function, list(procedures.map((_, index) => unsigned(index)))),
    ...(memory.shared ? [] : section(sections.memory, list(own))),
    ...section(sections.export, list([...(memory.shared ? [] : ownExport), ...exports])),
    ...section(sections.code, list(bodies)),
  ])
}
