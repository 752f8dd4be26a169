import { generatePassphrase, passphraseKey, type EncryptionKey } from '@svc/encryption'
import { usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import { readRecipients, type NamedRecipient } from './recipients.ts'

/** The encryption options of a command line. */
export interface EncryptionArgs {
  readonly encrypt?: boolean | undefined
  readonly passphrase?: string | undefined
  /** Keys, or where they are. */
  readonly recipients: readonly string[]
  readonly profile?: string | undefined
  readonly quiet?: boolean | undefined
}

/** The key with which the files of an upload are encrypted. */
export interface ChosenKey {
  readonly key: EncryptionKey
  /** For the link. */
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
export async function chooseKey(program: Program, args: EncryptionArgs): Promise<ChosenKey | undefined> {
  const { passphrase, recipients } = args
  if (passphrase !== undefined && recipients.length > 0)
    throw usageFailure('--passphrase and --recipient cannot be combined')
  if (recipients.length > 0) {
    const named = await readRecipients(program, recipients, args)
    return {
      key: { recipients: named.map(({ recipient }) => recipient) },
      generated: false,
      recipients: named,
    }
  }
  if (passphrase !== undefined) return chosen(await passphraseOption(program, passphrase))
  if (args.encrypt !== true) return undefined
  const set = program.environment['SVC_PASSPHRASE'] ?? ''
  if (set !== '') return chosen(set)
  return generatedKey(generatePassphrase())
}

/** A generated passphrase cannot be guessed, so a high work factor adds no security. */
export const generatedKey = (passphrase: string): ChosenKey => ({
  key: passphraseKey(passphrase),
  passphrase,
  generated: true,
  recipients: [],
})

const chosen = (passphrase: string): ChosenKey => ({
  key: { passphrase },
  passphrase,
  generated: false,
  recipients: [],
})

async function passphraseOption(program: Program, input: string): Promise<string> {
  if (input === '') throw usageFailure('the passphrase is empty')
  if (input !== '-') return input
  if (!canAsk(program)) throw usageFailure('no terminal to ask for a passphrase; use SVC_PASSPHRASE')
  const passphrase = await ask(program, 'Passphrase: ', 'hidden')
  if (passphrase === '') throw usageFailure('the passphrase is empty')
  if ((await ask(program, 'Once more: ', 'hidden')) !== passphrase)
    throw usageFailure('the passphrases do not match')
  return passphrase
}
