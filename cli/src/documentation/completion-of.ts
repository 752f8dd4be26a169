import { shells } from './shells.ts'
import { settingNames } from '../config/settings-file.ts'
import { formats } from '../arguments/archive-format.ts'

/** What a shell offers in a value's place: names of files, or some words; none where there is nothing to offer. */
export type Completion = 'files' | readonly string[]

const words: Readonly<Partial<Record<string, readonly string[]>>> = {
  archive: formats,
  key: settingNames,
  shell: shells,
}

/** A recipient's key may be in a file. */
const hintsOfFiles = ['FILE', 'PATH', 'KEY']

/** @param name of an argument @param hint what stands for its value */
export function completionOf(name: string, hint: string | undefined): Completion {
  if (name === 'files' || hintsOfFiles.includes(hint ?? '')) return 'files'
  return words[name] ?? []
}
