import { argon2, createHmac, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Clock } from '../domain/clock.ts'
import { tooBusy } from '../domain/errors.ts'
import { fairQueue, type QueueEntry } from '../domain/collections/fair-queue.ts'
import { verifyBcrypt } from './bcrypt.ts'
import { highestArgon2Cost, isBcrypt } from './imported-hashes.ts'

const derive = promisify(argon2)

/** The cost of a new hash, in the terms of argon2id (RFC 9106). */
export interface PasswordCost {
  /** KiB */
  readonly memory: number
  readonly passes: number
}

/** OWASP's second recommended setting for argon2id. */
export const recommendedCost: PasswordCost = { memory: 19_456, passes: 2 }

const parallelism = 1
const tagLength = 32

/**
 * The number of hashes that are computed at the same time: each needs 19 MiB and a processor, and one processor stays free.
 */
const parallel = Math.max(1, availableParallelism() - 1)

/** The maximum length of each queue, a second or two of work: longer waits would time out anyway. */
const maxWaiting = 64

/** How long a correct password is cached, so that the ranges of a video do not cost a hash each. */
const cacheMs = 60_000
const maxCached = 1_000

/**
 * The purpose of a password check. Each has a separate queue, so that many protected uploads do not block logins.
 */
export type PasswordQueueEntry = QueueEntry<'login' | 'upload password' | 'password change'>

export interface Passwords {
  /** The number of waiting password checks. */
  readonly waiting: () => number
  /**
   * @returns the hash to store, in PHC string format
   * @throws ServiceError `unavailable` when too many requests wait, as the two below
   */
  hash(password: string, entry: PasswordQueueEntry): Promise<string>
  /** @param hash null without a hash: the result is false after the same time, as for one that `isTooCostly` */
  verify(password: string, hash: string | null, entry: PasswordQueueEntry): Promise<boolean>
  /**
   * Verifies a password that arrives with every request. A correct password is cached for a minute, for the client that
   * sent it. A different password of this client ends that: otherwise a neighbour behind the same address, whose wrong
   * passwords are throttled, could still recognize the right one by the response. Equal requests of one client at the same
   * time share one check.
   * @param check verifies an unknown password, and may reject the client
   */
  verifyCached(
    password: string,
    hash: string,
    how: { readonly client: string; readonly check: () => Promise<boolean> },
  ): Promise<boolean>
}

/**
 * Hashes passwords with argon2id off the event loop, a few at a time. Hashes of bcrypt, which come from an import, are
 * verified, too.
 */
export function argon2Passwords(clock: Clock, cost = recommendedCost): Passwords {
  const settings = `m=${String(cost.memory)},t=${String(cost.passes)},p=${String(parallelism)}`
  const inPhc = (nonce: string, tag: string) => `$argon2id$v=19$${settings}$${nonce}$${tag}`
  /** Used when there is no hash, so that an unknown login takes as long as a wrong password. */
  const dummyHash = inPhc('A'.repeat(22), 'A'.repeat(43))
  const queue = fairQueue<PasswordQueueEntry['queue']>({ parallel, maxWaiting, full: tooBusy })
  /** The correct password of a client for a hash. */
  const cached = new Map<string, { readonly fingerprint: string; readonly until: number }>()
  const running = new Map<string, Promise<boolean>>()
  const key = randomBytes(32)
  const fingerprint = (password: string, hash: string) =>
    createHmac('sha256', key).update(hash).update('\0').update(password).digest('base64url')
  const cache = (slot: string, found: string) => {
    if (cached.size >= maxCached) cached.clear()
    cached.set(slot, { fingerprint: found, until: clock.now() + cacheMs })
  }
  const compute = (settings: Argon2Parameters, entry: PasswordQueueEntry): Promise<Buffer> =>
    queue.run(entry, () => derive('argon2id', settings))
  const checkOnce = async (slot: string, sent: string, check: () => Promise<boolean>) => {
    const key = `${slot} ${sent}`
    const result = running.get(key) ?? check().finally(() => running.delete(key))
    running.set(key, result)
    if (!(await result)) return false
    cache(slot, sent)
    return true
  }
  const verify = async (password: string, hash: string | null, entry: PasswordQueueEntry) => {
    if (hash !== null && isBcrypt(hash)) return queue.run(entry, () => verifyBcrypt({ password, hash }))
    const isVerifiable = hash !== null && !isTooCostly(hash)
    const known = parse(isVerifiable ? hash : dummyHash)
    if (known === null) return false
    const { tag, ...settings } = known
    const found = await compute({ message: password, ...settings, tagLength: tag.length }, entry)
    return timingSafeEqual(found, tag) && isVerifiable
  }

  return {
    waiting: queue.waiting,

    async hash(password, entry) {
      const nonce = randomBytes(16)
      const tag = await compute({ message: password, nonce, ...cost, parallelism, tagLength }, entry)
      return inPhc(nonce.toString('base64url'), tag.toString('base64url'))
    },

    verify,

    async verifyCached(password, hash, { client, check }) {
      const slot = `${client} ${hash}`
      const sent = fingerprint(password, hash)
      const known = cached.get(slot)
      if (known?.fingerprint === sent && known.until > clock.now()) return true
      cached.delete(slot)
      return checkOnce(slot, sent, check)
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

/**
 * Whether a stored hash is not verified because it would delay the logins of all users. Imports refuse such hashes, but have not
 * always done so.
 */
export function isTooCostly(hash: string): boolean {
  const cost = parse(hash)
  if (cost === null) return false
  const { memory, passes, parallelism } = cost
  return (
    memory > highestArgon2Cost.memory ||
    passes > highestArgon2Cost.passes ||
    parallelism > highestArgon2Cost.lanes
  )
}
