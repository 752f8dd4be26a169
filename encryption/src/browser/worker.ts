import { plainCipher } from '../plain-cipher.ts'
import { plainScrypt } from '../plain-engine.ts'
import type { Task } from '../pool.ts'
import { answerTask } from '../thread-work.ts'
import { wasmCipher } from '../wasm/cipher.ts'

const cipher = wasmCipher() ?? plainCipher

addEventListener('message', ({ data }: MessageEvent<Task>) => {
  void answerTask(data, cipher, plainScrypt).then((answer) => {
    postMessage(answer, { transfer: 'buffer' in answer ? [answer.buffer] : [] })
  })
})
