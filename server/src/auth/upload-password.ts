import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import type { Clock } from '../domain/clock.ts'

const derive = promisify(argon2)

/** OWASP's second recommended setting for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** How many hashes are computed at once; each takes 19 MiB and a thread of the pool that also reads files. */
const parallel = 2

/** How long a right password is remembered, so that the ranges of a video do not cost a hash each. */
const rememberMs = 60_000
const rememberMost = 1_000

export interface UploadPasswords {
  /** @returns the hash to keep, in PHC string format */
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

/** Passwords of uploads, hashed with argon2id off the event loop, a few at a time. */
export function uploadPasswords(clock: Clock): UploadPasswords {
  const inTurn = pLimit(parallel)
  const remembered = new Map<string, number>()
  const key = randomBytes(32)
  const trace = (password: string, hash: string) =>
    createHmac('sha256', key).update(hash).update('\0').update(password).digest('base64url')

  const isRemembered = (entry: string) => (remembered.get(entry) ?? 0) > clock.now()
  const remember = (entry: string) => {
    if (remembered.size >= rememberMost) remembered.clear()
    remembered.set(entry, clock.now() + rememberMs)
  }

  return {
    async hash(password) {
      const nonce = randomBytes(16)
      const tag = await inTurn(() => derive('argon2id', { message: password, nonce, ...cost }))
      const { memory, passes, parallelism } = cost
      const settings = `m=${String(memory)},t=${String(passes)},p=${String(parallelism)}`
      return `$argon2id$v=19$${settings}$${nonce.toString('base64url')}$${tag.toString('base64url')}`
    },

    async verify(password, hash) {
      const entry = trace(password, hash)
      if (isRemembered(entry)) return true
      const known = parse(hash)
      if (known === null) return false
      const { tag, ...settings } = known
      const found = await inTurn(() =>
        derive('argon2id', { message: password, ...settings, tagLength: tag.length }),
      )
      if (!timingSafeEqual(found, tag)) return false
      remember(entry)
      return true
    },
  }
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

function parse(hash: string) {
  const [, memory, passes, parallelism, nonce, tag] = phc.exec(hash) ?? []
  if (nonce === undefined || tag === undefined) return null
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
  }
}
