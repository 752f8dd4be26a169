import type { EncryptionError, Engine, Keys } from '@svc/encryption'
import type { Program } from '../program/program.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import { isPassphraseError } from '../errors/encryption-errors.ts'

/** The keys for the files of an upload. The user may add keys. */
export interface KeyRing {
  readonly engine: Engine
  readonly current: () => Keys
  /**
   * Asks the user for a passphrase after a file did not open.
   * @param error the error of the file
   * @param tried the keys that were tried
   * @returns other keys to try; undefined when there are none
   */
  readonly more: (error: unknown, tried: Keys) => Promise<Keys | undefined>
}

const attempts = 3

export function createKeyRing(program: Program, engine: Engine, keys: Keys): KeyRing {
  let current = keys
  let promptCount = 0
  // Several downloads may need a passphrase, but the user gets one question at a time.
  let last: Promise<unknown> = Promise.resolve()

  const askOnce = async (error: EncryptionError, tried: Keys): Promise<Keys | undefined> => {
    if (current !== tried) return current
    if (promptCount === attempts || !canAsk(program)) return undefined
    promptCount += 1
    if (error.code === 'wrong_passphrase') program.printToStderr('wrong passphrase')
    const passphrase = await ask(program, 'Passphrase: ', 'hidden')
    current = { ...current, passphrases: [passphrase] }
    return current
  }

  return {
    engine,
    current: () => current,
    more: (error, tried) => {
      if (!isPassphraseError(error)) return Promise.resolve(undefined)
      const next = last.then(() => askOnce(error, tried))
      last = next.catch(() => undefined)
      return next
    },
  }
}

/**
 * Tries keys until they fit, or the user has no more.
 * @throws the error of the last keys
 */
export async function withKeys<T>(ring: KeyRing, open: (keys: Keys) => Promise<T>): Promise<T> {
  for (let keys = ring.current(); ;)
    try {
      return await open(keys)
    } catch (error) {
      const others = await ring.more(error, keys)
      if (others === undefined) throw error
      keys = others
    }
}
