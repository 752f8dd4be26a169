import { readFile } from 'node:fs/promises'
import { parse, stringify } from 'smol-toml'
import { usageFailure } from '../errors/failure.ts'
import { errorMessage, systemCode } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { replaceFile } from './settings-file.ts'
import { configPath } from './standard-folders.ts'

/** Public keys by the names that the user gave them. */
export type KeyBook = ReadonlyMap<string, readonly string[]>

const bookPath = (program: Program) => configPath(program, 'keys.toml')

/** The parser of TOML adds lines of the file. */
const firstLine = (text: string): string => text.split('\n')[0] ?? ''

/** Names that are not keys, addresses or paths. */
export const isBookName = (text: string): boolean =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_.@+-]{0,63}$/u.test(text) && !/^(?:age1|ssh-)/i.test(text)

/** @throws Failure when the file is damaged */
export async function readKeyBook(program: Program): Promise<KeyBook> {
  const path = bookPath(program)
  try {
    const entries = Object.entries(parse(await readFile(path, 'utf8')))
    return new Map(
      entries.map(([name, keys]) => {
        if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string'))
          throw new TypeError(`${name} must be a list of public keys`)
        return [name, keys] as const
      }),
    )
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return new Map()
    throw usageFailure(`the address book ${path} cannot be read: ${firstLine(errorMessage(error))}`, error)
  }
}

/** @throws Failure */
export const writeKeyBook = (program: Program, book: KeyBook): Promise<void> =>
  replaceFile('address book', bookPath(program), stringify(Object.fromEntries(book)))
