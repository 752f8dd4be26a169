import { moduleOf, type Procedure } from './module.ts'

/** Bytes of a page of memory. */
export const pageBytes = 65_536

/** Memory shared by the modules of several threads; a message transports it. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
}

/** The procedures of a module. They take addresses and counts. */
type Calls<Name extends string> = Readonly<Record<Name, (...values: number[]) => void>>
type WithMemory<Name extends string> = Calls<Name> & { readonly memory: { readonly buffer: ArrayBuffer } }

interface Pages {
  readonly initial: number
  readonly maximum: number
  readonly shared: true
}
/** The used part of the JavaScript interface, which TypeScript declares only for browsers. */
interface Interface {
  readonly Memory: new (pages: Pages) => SharedMemory
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Interface }

/** The system allocates and clears a page at the first write to it. */
export const sharedMemory = (pages: number): SharedMemory =>
  new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })

/**
 * Instantiates a module with separate memory.
 * @throws WebAssembly.CompileError where WebAssembly or its vectors are not available
 */
export function instantiate<Name extends string>(
  procedures: readonly Procedure<Name>[],
  pages: number,
): WithMemory<Name> {
  return run(moduleOf(procedures, { pages, shared: false })) as WithMemory<Name>
}

/** Instantiates a module that uses shared memory. */
export function instantiateShared<Name extends string>(
  memory: SharedMemory,
  procedures: readonly Procedure<Name>[],
): Calls<Name> {
  const bytes = moduleOf(procedures, { pages: memory.buffer.byteLength / pageBytes, shared: true })
  return run(bytes, { env: { memory } }) as Calls<Name>
}

const run = (bytes: Uint8Array<ArrayBuffer>, imports = {}): object =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports
