import { svcd } from '../command-line.ts'

/** The export of the database of a directory. */
export const exportFrom = async (from: string) => (await svcd(from, ['export', '-'])).output

/** Imports an export into the database of a directory. */
export const importInto = (into: string, input: string, ...args: string[]) =>
  svcd(into, ['import', '-', ...args], { input })

/** The lines of an export. */
export const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
