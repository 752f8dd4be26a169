import { shells } from './shells.ts'
import { settingNames } from '../config/settings-file.ts'
import { formats } from '../arguments/archive-format.ts'

/** Completions of a value: names of files, links of uploads of this computer, or words; an empty list without completions. */
export type Completion = 'files' | 'links' | readonly string[]

const words: Readonly<Partial<Record<string, readonly string[]>>> = {
  action: ['ls', 'add', 'rm'],
  archive: formats,
  key: settingNames,
  shell: shells,
  subcommand: ['new', 'ls', 'show', 'get', 'close', 'open', 'rm'],
}

/** Hints of values that may be paths. The key of a recipient may be in a file. */
const fileHints = ['FILE', 'PATH', 'FOLDER', 'KEY']

/**
 * @param name of an argument
 * @param hint placeholder of its value
 */
export function completionOf(name: string, hint: string | undefined): Completion {
  if (['link', 'links', 'upload'].includes(name)) return 'links'
  if (name === 'files' || name === 'folder' || fileHints.includes(hint ?? '')) return 'files'
  return words[name] ?? []
}
