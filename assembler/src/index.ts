/** WebAssembly without a compiler: modules are assembled from instructions at run time. */
export { advance, get, i32, i64, repeat, set, tee, types, v128, type Code } from './instructions.ts'
export type { Procedure } from './module.ts'
export { instantiate, instantiateShared, pageBytes, sharedMemory, type SharedMemory } from './instantiate.ts'
