import { decryptBatch, encryptBatch, type ChunkCipher } from './chunk-cipher.ts'
import type { ScryptWork } from './engine.ts'
import { addBytes, type CompressBlocks } from './sha256.ts'
import type { Task, ThreadResult } from './pool.ts'

/** The algorithms of an environment. */
export interface Algorithms {
  readonly cipher: ChunkCipher
  /** Absent in environments that hash elsewhere. */
  readonly compress?: CompressBlocks
  readonly scrypt: (work: ScryptWork) => Promise<Uint8Array<ArrayBuffer>>
}

/** Runs a task on a thread. */
export async function runTask(task: Task, { cipher, compress, scrypt }: Algorithms): Promise<ThreadResult> {
  try {
    switch (task.kind) {
      case 'encrypt':
        encryptBatch(cipher, task.key, task.batch)
        return { buffer: task.batch.buffer, decrypted: 0 }
      case 'decrypt':
        return { decrypted: decryptBatch(cipher, task.key, task.batch), buffer: task.batch.buffer }
      case 'hash': {
        if (compress === undefined) throw new Error('this environment has no hash')
        const { buffer, start, bytes, total } = task.batch
        const state = addBytes(compress, task.state, new Uint8Array(buffer, start, bytes), total)
        return { buffer, decrypted: 0, state }
      }
      case 'scrypt':
        return { buffer: (await scrypt(task)).slice().buffer, decrypted: 0 }
    }
  } catch (error) {
    return { error: String(error) }
  }
}
