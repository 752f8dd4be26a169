import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../../docs/install')

/**
 * The commands of a page about installation, as they stand.
 * @param page its name without the ending
 * @returns a function that finds a block of commands of a section, by default the first one
 */
export function commandsOfPage(page: string): (section: string, index?: number) => string {
  const sections = readFileSync(resolve(folder, `${page}.md`), 'utf8').split(/^##+ /m)
  return (section, index = 0) => {
    const text = sections.find((candidate) => candidate.startsWith(`${section}\n`)) ?? ''
    const commands = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)[index]
    if (commands === undefined) throw new Error(`the section ${section} has no commands`)
    return commands
  }
}
