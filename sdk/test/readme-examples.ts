import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Example {
  readonly heading: string
  readonly code: string
  readonly inBrowser: boolean
}

export const withValues = (code: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), code)

/** The examples of the README as written; only addresses, ids and keys are replaced. */
export async function readmeExamples(values: Readonly<Record<string, string>>): Promise<Example[]> {
  const written = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  return written.split(/^## /m).flatMap((section) => {
    const [heading = ''] = section.split('\n')
    return [...section.matchAll(/^```ts( browser)?\n(.*?)^```$/gms)].map(([, browser, text = '']) => ({
      heading,
      inBrowser: browser !== undefined,
      code: withValues(text, values),
    }))
  })
}
