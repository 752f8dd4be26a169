import type { Engine, Keys } from '@svc/encryption'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import type { KeyRing } from './key-ring.ts'

/** The decryption options of a command line. */
export interface DecryptionArgs {
  readonly passphrase?: string | undefined
  /** Files of keys. */
  readonly identities: readonly string[]
}

/** Collects the keys of encrypted uploads: from the command line, the link and a prompt. */
export interface KeySource {
  /** The option of the command line with which only encrypted files are expected; undefined without one. */
  readonly option: '--passphrase' | '--identity' | undefined
  /**
   * @param key key of the link
   * @throws Failure
   */
  readonly keysFor: (key: string | undefined) => Promise<KeyRing>
  readonly close: () => Promise<void>
}

/** Loads the encryption for the first encrypted upload, because most are not encrypted. */
export function createKeySource(program: Program, args: DecryptionArgs): KeySource {
  let loadedKeys: Promise<{ readonly engine: Engine; readonly keys: Required<Keys> }> | undefined
  const open = async () => {
    const { createCliEngine } = await import('./engine.ts')
    const { readIdentities } = await import('./identities.ts')
    const { withScryptBudget } = await import('./scrypt-budget.ts')
    const engine = withScryptBudget(program, createCliEngine(program))
    try {
      const identities = await readIdentities(program, engine, args.identities)
      return { engine, keys: { identities, passphrases: await passphrases(program, args) } }
    } catch (error) {
      await engine.close()
      throw error
    }
  }
  return {
    option:
      args.passphrase !== undefined ? '--passphrase' : args.identities.length > 0 ? '--identity' : undefined,
    async keysFor(key) {
      const { createKeyRing } = await import('./key-ring.ts')
      const { engine, keys } = await (loadedKeys ??= open())
      const known = [...new Set([...(key === undefined ? [] : [key]), ...keys.passphrases])]
      const isOpen = known.length > 0 || keys.identities.length > 0
      return createKeyRing(program, engine, {
        ...keys,
        passphrases: isOpen ? known : [await askForPassphrase(program)],
      })
    },
    async close() {
      // The caller has already received the error.
      const opened = await loadedKeys?.catch(() => undefined)
      await opened?.engine.close()
    },
  }
}

/**
 * Asks before the download, because a one-shot file would be lost.
 * @throws Failure without a terminal
 */
async function askForPassphrase(program: Program): Promise<string> {
  if (canAsk(program)) return ask(program, 'Passphrase: ', 'hidden')
  throw new Failure(
    'the file is encrypted: use the full link with #key=, --passphrase, SVC_PASSPHRASE, --identity or --no-decrypt',
    exitCodes.locked,
  )
}

async function passphrases(program: Program, { passphrase }: DecryptionArgs): Promise<readonly string[]> {
  if (passphrase === '-' && canAsk(program)) return [await ask(program, 'Passphrase: ', 'hidden')]
  const set = program.environment['SVC_PASSPHRASE'] ?? ''
  if (passphrase !== undefined && passphrase !== '' && passphrase !== '-') return [passphrase]
  return set === '' ? [] : [set]
}
