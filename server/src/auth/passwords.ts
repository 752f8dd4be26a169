import { argon2, createHmac, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Clock } from '../domain/clock.ts'
import { tooBusy } from '../domain/errors.ts'
import { fairQueue, type Turn } from '../domain/fair-queue.ts'

const derive = promisify(argon2)

/** What a new hash costs, in the terms of argon2id (RFC 9106). */
export interface PasswordCost {
  /** KiB */
  readonly memory: number
  readonly passes: number
}

/** OWASP's second recommended setting for argon2id. */
export const recommendedCost: PasswordCost = { memory: 19_456, passes: 2 }

const parallelism = 1
const tagLength = 32

/** How many hashes are computed at once: each takes 19 MiB and a core, and one core is left for everything else. */
const parallel = Math.max(1, availableParallelism() - 1)

/** How many may wait in one line, a second or two of work: more would time out anyway. */
const mostWaiting = 64

/** How long a right password is remembered, so that the ranges of a video do not cost a hash each. */
const rememberMs = 60_000
const rememberMost = 1_000

/**
 * What a password is hashed for. Each has a line of its own: who creates protected uploads without end keeps nobody from
 * signing in.
 */
export type PasswordTurn = Turn<'login' | 'upload password' | 'password change'>

export interface Passwords {
  /** How many passwords wait for their turn now. */
  readonly waiting: () => number
  /**
   * @returns the hash to keep, in PHC string format
   * @throws ServiceError `unavailable` when too many are waiting, as the two below
   */
  hash(password: string, turn: PasswordTurn): Promise<string>
  /** @param hash null where there is none: that takes as long, and is never right */
  verify(password: string, hash: string | null, turn: PasswordTurn): Promise<boolean>
  /**
   * The same for a password that comes with every request: a right one is remembered for a minute, and equal
   * requests of one asker at the same moment share one check.
   * @param check judges it where that is not known, and may refuse to do so for this asker
   */
  verifyOften(
    password: string,
    hash: string,
    how: { readonly asker: string; readonly check: () => Promise<boolean> },
  ): Promise<boolean>
}

/** Passwords, hashed with argon2id off the event loop, a few at a time. */
export function argon2Passwords(clock: Clock, cost = recommendedCost): Passwords {
  const settings = `m=${String(cost.memory)},t=${String(cost.passes)},p=${String(parallelism)}`
  const inPhc = (nonce: string, tag: string) => `$argon2id$v=19$${settings}$${nonce}$${tag}`
  /** Checked against when there is no hash, so that an unknown login takes as long as a wrong password. */
  const nobody = inPhc('A'.repeat(22), 'A'.repeat(43))
  const queue = fairQueue<PasswordTurn['line']>({ parallel, most: mostWaiting, full: tooBusy })
  const remembered = new Map<string, number>()
  const running = new Map<string, Promise<boolean>>()
  const key = randomBytes(32)
  const trace = (password: string, hash: string) =>
    createHmac('sha256', key).update(hash).update('\0').update(password).digest('base64url')
  const remember = (entry: string) => {
    if (remembered.size >= rememberMost) remembered.clear()
    remembered.set(entry, clock.now() + rememberMs)
  }
  const compute = (settings: Argon2Parameters, turn: PasswordTurn): Promise<Buffer> =>
    queue.run(turn, () => derive('argon2id', settings))
  const checkOnce = async (name: string, entry: string, check: () => Promise<boolean>) => {
    try {
      const right = await check()
      if (right) remember(entry)
      return right
    } finally {
      running.delete(name)
    }
  }
  const verify = async (password: string, hash: string | null, turn: PasswordTurn) => {
    const known = parse(hash ?? nobody)
    if (known === null) return false
    const { tag, ...settings } = known
    const found = await compute({ message: password, ...settings, tagLength: tag.length }, turn)
    return timingSafeEqual(found, tag) && hash !== null
  }

  return {
    waiting: queue.waiting,

    async hash(password, turn) {
      const nonce = randomBytes(16)
      const tag = await compute({ message: password, nonce, ...cost, parallelism, tagLength }, turn)
      return inPhc(nonce.toString('base64url'), tag.toString('base64url'))
    },

    verify,

    verifyOften(password, hash, { asker, check }) {
      const entry = trace(password, hash)
      if ((remembered.get(entry) ?? 0) > clock.now()) return Promise.resolve(true)
      const name = `${entry} ${asker}`
      const result = running.get(name) ?? checkOnce(name, entry, check)
      running.set(name, result)
      return result
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
