import { afterEndValues, senderNames } from '@svc/contract'
import { archiveFormats } from '../arguments/archive-format.ts'
import { keyActions } from '../arguments/key-actions.ts'
import { linkKinds } from '../arguments/link-kind.ts'
import { settingNames } from '../config/settings-file.ts'
import { requestActions } from '../requests/request-args.ts'
import { shells } from './shells.ts'

/** Words that a shell reads when it completes: links of this computer, names of the address book, profiles. */
export const sources = ['links', 'requests', 'names', 'profiles'] as const
export type Source = (typeof sources)[number]

/** Completions of a value: names of files, words that the shell reads, or words; an empty list without completions. */
export type Completion = 'files' | 'commands' | Source | readonly string[]

const optionWords: Readonly<Partial<Record<string, readonly string[]>>> = {
  'after-end': afterEndValues,
  archive: archiveFormats,
  link: linkKinds,
  'sender-name': senderNames,
}

/** Hints of values that are paths. */
const fileHints = ['FILE', 'PATH', 'FOLDER']

/**
 * @param name name of an option
 * @param hint placeholder of its value
 */
export function completionOf(name: string, hint: string | undefined): Completion {
  if (name === 'profile') return 'profiles'
  if (name === 'recipient') return 'names'
  return fileHints.includes(hint ?? '') ? 'files' : (optionWords[name] ?? [])
}

const booleans = ['true', 'false']
const booleanSettings = { oneshot: booleans, removable: booleans, insecure: booleans, updates: booleans }
const withRequest = {
  show: 'requests',
  get: 'requests',
  close: 'requests',
  open: 'requests',
  rm: 'requests',
} as const

/** Completions of the words of a command, in their order. One list for each word; the last one is for all words after it. */
interface Positionals {
  readonly words: readonly Completion[]
  /** Those of the second word, by the first one. */
  readonly second?: Readonly<Record<string, Completion>>
}

const none: Positionals = { words: [[]] }
const files: Positionals = { words: ['files'] }
const oneLink: Positionals = { words: ['links', []] }
const positionalsByCommand: Readonly<Partial<Record<string, Positionals>>> = {
  upload: files,
  send: files,
  watch: { words: ['files', []] },
  get: { words: ['links'] },
  resume: oneLink,
  info: oneLink,
  rm: oneLink,
  open: oneLink,
  mail: oneLink,
  completion: { words: [shells, []] },
  help: { words: ['commands', []] },
  config: { words: [settingNames, [], []], second: booleanSettings },
  keys: { words: [keyActions, [], 'files'], second: { add: 'names', rm: 'names' } },
  request: { words: [requestActions, [], []], second: withRequest },
}

/** A completion of a word of a command. */
export interface Rule {
  /** Place of the word, from 0 on. */
  readonly at: number
  /** Whether it is also for all words after it. */
  readonly isVariadic: boolean
  /** The first word; undefined for any. */
  readonly first?: string
  readonly completion: Completion
}

/** The completions of the words of a command. A rule for a first word comes before the one for any. */
export function rulesOf(command: string): readonly Rule[] {
  const { words, second = {} } = positionalsByCommand[command] ?? none
  return words.flatMap((completion, at) => [
    ...(at === 1
      ? Object.entries(second).map(([first, own]) => ({ at, isVariadic: false, first, completion: own }))
      : []),
    { at, isVariadic: at === words.length - 1, completion },
  ])
}
