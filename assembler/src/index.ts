/** WebAssembly without a compiler: a program is put together from instructions when it is started. */
export { advance, get, i32, i64, repeat, set, tee, types, v128, type Code } from './instructions.ts'
export type { Procedure } from './program.ts'
export { pageBytes, sharedMemory, start, startOn, type SharedMemory } from './start.ts'
