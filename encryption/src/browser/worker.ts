import { plainCipher } from '../engine/plain-cipher.ts'
import { plainScrypt } from '../engine/plain-engine.ts'
import type { Task } from '../engine/pool.ts'
import { runTask } from '../engine/run-task.ts'
import { wasmCipher } from '../wasm/cipher.ts'

const cipher = wasmCipher() ?? plainCipher

addEventListener('message', ({ data }: MessageEvent<Task>) => {
  void runTask(data, cipher, plainScrypt).then((result) => {
    postMessage(result, { transfer: 'buffer' in result ? [result.buffer] : [] })
  })
})
