import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { HashResponse, HashRequest, HashWork, HashWorkerData } from './hash-messages.ts'

interface Body {
  readonly md5: Hash
  crc32: number
}

/** Hashes one body after the other with OpenSSL: slower for several bodies, but on any processor. */
export function sequentialHasher({ memory }: Pick<HashWorkerData, 'memory'>): HashWork {
  const bodies = new Map<number, Body>()
  let waiting: HashRequest[] = []

  const open = (id: number): Body => {
    const body = { md5: createHash('md5'), crc32: 0 }
    bodies.set(id, body)
    return body
  }
  const handle = ({ body: id, block, bytes, end }: HashRequest): HashResponse[] => {
    const body = bodies.get(id) ?? open(id)
    const responses: HashResponse[] = []
    const more = block === undefined ? bytes : new Uint8Array(memory.buffer, block.address, block.length)
    if (more !== undefined) {
      body.md5.update(more)
      body.crc32 = crc32(more, body.crc32)
      responses.push({ body: id })
    }
    if (end === 'digest') {
      bodies.delete(id)
      responses.push({ body: id, hashes: { md5: body.md5.digest('hex'), crc32: body.crc32 } })
    }
    return responses
  }

  return {
    accept(request) {
      if (request.end === 'drop') {
        bodies.delete(request.body)
        waiting = waiting.filter(({ body }) => body !== request.body)
      } else waiting.push(request)
    },
    isBusy: () => waiting.length > 0,
    step() {
      const next = waiting.shift()
      return next === undefined ? [] : handle(next)
    },
  }
}
