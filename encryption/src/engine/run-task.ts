import { openBatch, sealBatch, type ChunkCipher } from './chunk-cipher.ts'
import type { ScryptWork } from './engine.ts'
import type { Task, ThreadResult } from './pool.ts'

/** Runs a task on a thread, with the ciphers of its environment. */
export async function runTask(
  task: Task,
  cipher: ChunkCipher,
  scrypt: (work: ScryptWork) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<ThreadResult> {
  try {
    switch (task.kind) {
      case 'seal':
        sealBatch(cipher, task.key, task.batch)
        return { buffer: task.batch.buffer, opened: 0 }
      case 'open':
        return { opened: openBatch(cipher, task.key, task.batch), buffer: task.batch.buffer }
      case 'scrypt':
        return { buffer: (await scrypt(task)).slice().buffer, opened: 0 }
    }
  } catch (error) {
    return { error: String(error) }
  }
}
