import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { usageFailure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'

/** How public keys and their places begin, as `--recipient` takes them. */
const recipient =
  /^(?:age1[0-9a-z]|github:|https?:\/\/|(?:sk-)?ssh-(?:ed25519|rsa|dss)\b|(?:sk-)?ecdsa-sha2-)/i
const privateKey = /^AGE-(?:SECRET-KEY|PLUGIN)-/i

/**
 * Checks that no word for a file is a key or the place of one. Such a word comes from a line that shall encrypt: as a missing
 * file, it would not keep the others from being sent without encryption.
 * @param advice what to do instead with the word
 * @throws Failure
 */
export async function refuseRecipients(
  program: Program,
  words: readonly string[],
  advice: (word: string) => string = useRecipient,
): Promise<void> {
  const missing = words.filter((word) => word !== '-' && !existsSync(resolve(program.directory, word)))
  if (missing.length === 0) return
  if (missing.some((word) => privateKey.test(word)))
    // Its text would stay in logs.
    throw usageFailure('a private key of age is not a file to send')
  const key = missing.find((word) => recipient.test(word))
  if (key !== undefined) throw usageFailure(`${key} is not a file: ${advice(key)}`)
  const { readKeyBook } = await import('../config/key-book.ts')
  const book = await readKeyBook(program)
  const name = missing.find((word) => book.has(word))
  if (name !== undefined) throw usageFailure(`${name} is a name of svc keys and not a file: ${advice(name)}`)
}

const useRecipient = (word: string) =>
  `to encrypt for it, use --recipient${/^https?:/i.test(word) ? '; to download it, use svc get' : ''}`
