import { decryptBatch, encryptBatch, type ChunkCipher } from './chunk-cipher.ts'
import type { ScryptWork } from './engine.ts'
import { addBytes, type CompressBlocks } from './sha256.ts'
import type { Task, TaskResult, ThreadResult } from './pool.ts'

/** The algorithms of an environment. */
export interface Algorithms {
  readonly cipher: ChunkCipher
  /** Absent in environments that hash elsewhere. */
  readonly compress?: CompressBlocks
  readonly scrypt: (work: ScryptWork) => Promise<Uint8Array<ArrayBuffer>>
}

/** The bytes of a key in a buffer that can be transferred. */
function moved(key: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const { buffer } = key.slice()
  key.fill(0)
  return buffer
}

/** Runs a task on a thread. Its key is the copy of the thread, and is cleared. */
export async function runTask(task: Task, algorithms: Algorithms): Promise<ThreadResult> {
  try {
    return await resultOf(task, algorithms)
  } catch (error) {
    return { error: String(error) }
  } finally {
    if ('key' in task) task.key.fill(0)
  }
}

async function resultOf(task: Task, { cipher, compress, scrypt }: Algorithms): Promise<TaskResult> {
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
      return { buffer: moved(await scrypt(task)), decrypted: 0 }
  }
}
