import type { Batch } from '../src/engine/batch.ts'
import type { Engine } from '../src/engine/engine.ts'
import { createPlainEngine } from '../src/engine/plain-engine.ts'
import { runTask } from '../src/engine/run-task.ts'
import { wasmCipher } from '../src/wasm/cipher.ts'

/** Encrypts as the threads of a browser do: in WebAssembly, with copies of keys and other buffers than those of the caller. */
export function createWasmEngine(): Engine {
  const cipher = wasmCipher()
  if (cipher === undefined) throw new Error('Node has WebAssembly with vectors')
  const plain = createPlainEngine()
  const run = async (kind: 'encrypt' | 'decrypt', key: Uint8Array<ArrayBuffer>, batch: Batch) => {
    const task = structuredClone({ kind, key, batch }, { transfer: [batch.buffer] })
    const result = await runTask(task, { cipher, scrypt: plain.scrypt })
    if ('error' in result) throw new Error(result.error)
    return result
  }
  return {
    ...plain,
    encrypt: async (key, batch) => (await run('encrypt', key, batch)).buffer,
    decrypt: (key, batch) => run('decrypt', key, batch),
  }
}
