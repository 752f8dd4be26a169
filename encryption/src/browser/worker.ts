import { plainCipher } from '../engine/plain-cipher.ts'
import { plainScrypt } from '../engine/plain-engine.ts'
import type { Task } from '../engine/pool.ts'
import { runTask } from '../engine/run-task.ts'
import { jsCompress } from '../engine/sha256.ts'
import { wasmCipher } from '../wasm/cipher.ts'
import { wasmCompress } from '../wasm/sha256.ts'

const algorithms = {
  cipher: wasmCipher() ?? plainCipher,
  compress: wasmCompress() ?? jsCompress,
  scrypt: plainScrypt,
}

addEventListener('message', ({ data }: MessageEvent<Task>) => {
  void runTask(data, algorithms).then((result) => {
    postMessage(result, { transfer: 'buffer' in result ? [result.buffer] : [] })
  })
})
