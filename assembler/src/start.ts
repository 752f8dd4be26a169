import { programOf, type Procedure } from './program.ts'

/** Bytes of a page of memory. */
export const pageBytes = 65_536

/** Memory that programs in several threads see; it can be sent to them in a message. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
}

/** A program that can be called: its procedures take addresses and counts. */
type Calls<Name extends string> = Readonly<Record<Name, (...values: number[]) => void>>
type Owning<Name extends string> = Calls<Name> & { readonly memory: { readonly buffer: ArrayBuffer } }

interface Pages {
  readonly initial: number
  readonly maximum: number
  readonly shared: true
}
/** What is used of the interface to JavaScript, which TypeScript knows only among the names of browsers. */
interface Interface {
  readonly Memory: new (pages: Pages) => SharedMemory
  readonly Module: new (program: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Interface }

/** The system gives the memory away, and clears it, where it is first written to. */
export const sharedMemory = (pages: number): SharedMemory =>
  new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })

/**
 * Starts a program with its own memory.
 * @throws WebAssembly.CompileError where programs may not run, or there are no vectors
 */
export function start<Name extends string>(
  procedures: readonly Procedure<Name>[],
  pages: number,
): Owning<Name> {
  return run(programOf(procedures, { pages, shared: false })) as Owning<Name>
}

/** The same with memory that others use too. */
export function startOn<Name extends string>(
  memory: SharedMemory,
  procedures: readonly Procedure<Name>[],
): Calls<Name> {
  const program = programOf(procedures, { pages: memory.buffer.byteLength / pageBytes, shared: true })
  return run(program, { of: { threads: memory } }) as Calls<Name>
}

const run = (program: Uint8Array<ArrayBuffer>, imports = {}): object =>
  new WebAssembly.Instance(new WebAssembly.Module(program), imports).exports
