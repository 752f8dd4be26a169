import { limits, type LinkMail } from '@svc/contract'
import type { Client } from '@svc/sdk'
import { printable } from '@svc/terminal'
import type { Target } from '../config/target.ts'
import { errorMessage } from '../errors/error-message.ts'
import { exitStatus } from '../errors/exit-status.ts'
import { Failure, usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'

/** Catches names and paths given by mistake. The server validates addresses. */
const looksLikeAddress = /^[^\s@]+@[^\s@]+$/

/**
 * The email of the options `--mail` and `--message`.
 * @returns undefined without addresses
 * @throws Failure
 */
export function linkEmailFromOptions(
  addresses: readonly string[],
  message: string | undefined,
): LinkMail | undefined {
  if (addresses.length > 0) return newLinkEmail(addresses, { message })
  if (message !== undefined)
    throw usageFailure('--message is the text of an email: use it with --mail ADDRESS')
  return undefined
}

/**
 * The content of an email with a link.
 * @throws Failure
 */
export function newLinkEmail(
  addresses: readonly string[],
  { message, language }: { readonly message?: string | undefined; readonly language?: string | undefined },
): LinkMail {
  if (addresses.length > limits.mailAddresses)
    throw usageFailure(`a link is sent to at most ${String(limits.mailAddresses)} addresses at a time`)
  const wrong = addresses.find((address) => !looksLikeAddress.test(address))
  if (wrong !== undefined) throw usageFailure(`${printable(wrong)} is not an email address`)
  return {
    addresses: [...addresses],
    ...(message !== undefined && { message }),
    ...(language !== undefined && { language }),
  }
}

/**
 * Refuses `--mail` before the upload if the link cannot be sent by email.
 * @throws Failure, ApiError
 */
export async function requireEmailAllowed(
  client: Client,
  { token }: Pick<Target, 'token'>,
  isEncrypted: boolean,
): Promise<void> {
  if (isEncrypted)
    throw usageFailure(
      '--mail cannot be combined with encryption: the server does not have the key. Send the link with its key yourself',
    )
  if (token === undefined) throw usageFailure('--mail needs your account on the server: run svc login first')
  if ((await client.configuration()).feature_mail !== 'enabled')
    throw new Failure('this server does not send links by email; nothing was sent')
}

/** Sends the link of an upload by email. A failure is only a warning, because the upload is complete. */
export async function emailLink(
  program: Program,
  client: Client,
  { id, mail, isQuiet }: { readonly id: string; readonly mail: LinkMail; readonly isQuiet: boolean },
): Promise<void> {
  try {
    const { accepted } = await client.mailLink(id, mail)
    if (!isQuiet) program.printToStderr(acceptedMessage(accepted))
  } catch (error) {
    program.printToStderr(
      `warning: the upload is complete, but its link was not sent by email: ${printable(errorMessage(error))}`,
    )
    program.fail(exitStatus(error))
  }
}

export const acceptedMessage = (accepted: number): string =>
  `the server sends the link to ${String(accepted)} ${accepted === 1 ? 'address' : 'addresses'}`
