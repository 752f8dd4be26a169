import { defineCommand, type ArgsDef, type ParsedArgs } from 'citty'
import { printable, printableJson, table } from '@svc/terminal'
import { outputArgsDef, serverArgsDef } from '../../arguments/common-args.ts'
import { isBookName, readKeyBook, writeKeyBook, type KeyBook } from '../../config/key-book.ts'
import { counted } from '../../output/counted.ts'
import { Failure, usageFailure } from '../../errors/failure.ts'
import { keyActions } from '../../arguments/key-actions.ts'
import { canAsk, confirm } from '../../interactive/ask.ts'
import type { Program } from '../../program/program.ts'

const argsDef = {
  action: {
    type: 'positional',
    required: false,
    description: `One of ${keyActions.join(', ')} (default: ls)`,
  },
  name: { type: 'positional', required: false, description: 'Name of a person for svc --recipient NAME' },
  keys: {
    type: 'positional',
    required: false,
    valueHint: '…',
    description:
      'With add: public keys (`age1…`, `ssh-ed25519 …`, `ssh-rsa …`), `github:USER`, addresses or files of keys. They are stored as they are now',
  },
  yes: { type: 'boolean', alias: 'y', description: 'Replace the keys of a name without a question' },
  profile: serverArgsDef.profile,
  ...outputArgsDef,
} as const satisfies ArgsDef

type KeysArgs = ParsedArgs<typeof argsDef>

export const keys = (program: Program) =>
  defineCommand({
    meta: {
      name: 'keys',
      description: 'Manage the address book of public keys to encrypt for',
    },
    args: argsDef,
    async run({ args }) {
      const [input = 'ls', name, ...words] = args._
      const action = keyActions.find((known) => known === input)
      if (action === undefined) throw usageFailure(`${input} is not one of ${keyActions.join(', ')}`)
      const book = await readKeyBook(program)
      switch (action) {
        case 'ls':
          if (name !== undefined) throw usageFailure(`unexpected: ${name}`)
          list(program, args, book)
          break
        case 'add':
          await add(program, args, book, { name, words })
          break
        case 'rm':
          if (name === undefined || words.length > 0) throw usageFailure('name the entry to remove')
          if (!book.has(name)) throw new Failure(`the address book has no ${name}`)
          await writeKeyBook(program, new Map([...book].filter(([other]) => other !== name)))
          if (args.json === true) program.print(printableJson({ removed: { name } }))
          break
      }
    },
  })

/** The kind of a key, and enough of it to tell two apart. */
const columns = 40
const shown = (key: string) =>
  key.length > columns ? `${key.slice(0, columns / 2)}…${key.slice(-columns / 2)}` : key

function list(program: Program, { json, quiet }: KeysArgs, book: KeyBook): void {
  if (json === true) program.print(printableJson(Object.fromEntries(book)))
  else if (quiet === true) for (const name of book.keys()) program.print(printable(name))
  else if (book.size === 0)
    program.printToStderr('the address book is empty: svc keys add NAME KEY… adds a person')
  else {
    const rows = [...book].flatMap(([name, all]) => all.map((key) => ({ name, key })))
    const lines = table(
      [
        ['NAME', ({ name }) => name],
        ['KEY', ({ key }) => shown(key)],
      ],
      rows,
    )
    for (const line of lines) program.print(line)
  }
}

async function add(
  program: Program,
  { yes, quiet, json, profile }: KeysArgs,
  book: KeyBook,
  { name, words }: { readonly name: string | undefined; readonly words: readonly string[] },
): Promise<void> {
  if (name === undefined || words.length === 0) throw usageFailure('use svc keys add NAME KEY…')
  if (!isBookName(name)) throw usageFailure(`${name} cannot be a name: use letters, digits, . _ @ + -`)
  const { publicKeys, requireUsable } = await import('../../encryption/recipients.ts')
  const found = [...new Set(await publicKeys(program, words, { profile, quiet }))]
  // An invalid key is reported now, not when a file is sent.
  await requireUsable(program, found)
  const isReplaced = book.has(name)
  if (
    isReplaced &&
    yes !== true &&
    !(canAsk(program) && (await confirm(program, `Replace the keys of ${name}?`)))
  )
    throw new Failure(`${name} is already in the address book; --yes replaces the keys`)
  await writeKeyBook(program, new Map([...book, [name, found]]))
  if (json === true) program.print(printableJson({ [name]: found }))
  else if (quiet !== true) program.printToStderr(`${name}: ${counted(found.length, 'public key')}`)
}
