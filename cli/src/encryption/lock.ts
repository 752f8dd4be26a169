import { generatePassphrase, passphraseLock, type Lock } from '@svc/encryption'
import { usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import { readRecipients, type NamedRecipient } from './recipients.ts'

/** The encryption options of a command line. */
export interface GivenLock {
  readonly encrypt?: boolean | undefined
  readonly passphrase?: string | undefined
  /** Keys, or where they are. */
  readonly recipients: readonly string[]
  readonly profile?: string | undefined
  readonly quiet?: boolean | undefined
}

/** The encryption of the files of an upload. */
export interface ChosenLock {
  readonly lock: Lock
  /** The key for the link. */
  readonly passphrase?: string
  /** Whether the passphrase was generated and must be shown. */
  readonly generated: boolean
  readonly recipients: readonly NamedRecipient[]
}

/**
 * Recipients have priority over the passphrase of the environment, and that over a generated one.
 * @returns undefined without encryption
 * @throws Failure, EncryptionError `bad_recipient`
 */
export async function chooseLock(program: Program, given: GivenLock): Promise<ChosenLock | undefined> {
  const { passphrase, recipients } = given
  if (passphrase !== undefined && recipients.length > 0)
    throw usageFailure('--passphrase and --recipient cannot be combined')
  if (recipients.length > 0) {
    const named = await readRecipients(program, recipients, given)
    return {
      lock: { recipients: named.map(({ recipient }) => recipient) },
      generated: false,
      recipients: named,
    }
  }
  if (passphrase !== undefined) return chosen(await passphraseOption(program, passphrase))
  if (given.encrypt !== true) return undefined
  const set = program.environment['SVC_PASSPHRASE'] ?? ''
  if (set !== '') return chosen(set)
  return generatedLock(generatePassphrase())
}

/** A generated passphrase cannot be guessed, so a high work factor adds no security. */
export const generatedLock = (passphrase: string): ChosenLock => ({
  lock: passphraseLock(passphrase),
  passphrase,
  generated: true,
  recipients: [],
})

const chosen = (passphrase: string): ChosenLock => ({
  lock: { passphrase },
  passphrase,
  generated: false,
  recipients: [],
})

async function passphraseOption(program: Program, written: string): Promise<string> {
  if (written === '') throw usageFailure('the passphrase is empty')
  if (written !== '-') return written
  if (!canAsk(program)) throw usageFailure('no terminal to ask for a passphrase; use SVC_PASSPHRASE')
  const passphrase = await ask(program, 'Passphrase: ', 'hidden')
  if (passphrase === '') throw usageFailure('the passphrase is empty')
  if ((await ask(program, 'Once more: ', 'hidden')) !== passphrase)
    throw usageFailure('the passphrases do not match')
  return passphrase
}
