import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** What happens with a block: it runs, a test runs it, or it is not tried for a reason. */
export type Mark =
  | { readonly kind: 'run' }
  | { readonly kind: 'tested'; readonly by: string }
  | { readonly kind: 'untried'; readonly reason: string }

/** A block of shell commands of a page. */
export interface Block {
  /** Path from the root of the checkout. */
  readonly page: string
  /** Of its first command. */
  readonly line: number
  readonly script: string
  readonly mark: Mark
}

const fence = /^( *)```sh\n(.*?)^\1```$/gms
const comment = /<!-- (?<kind>untried|tested): (?<text>[^>]+) -->\n+ *$/

/**
 * The blocks of shell commands of a page. A comment directly above one has its mark.
 * @throws when a comment names a test that does not exist
 */
export function blocksOf(root: string, page: string): readonly Block[] {
  const text = readFileSync(resolve(root, page), 'utf8')
  return [...text.matchAll(fence)].map((match) => {
    const [, indentation = '', script = ''] = match
    const before = text.slice(0, match.index)
    const line = before.split('\n').length + 1
    return { page, line, mark: markAbove(root, before), script: script.replaceAll(`\n${indentation}`, '\n') }
  })
}

function markAbove(root: string, before: string): Mark {
  const { kind, text = '' } = comment.exec(before.slice(-500))?.groups ?? {}
  if (kind === 'untried') return { kind, reason: text }
  if (kind !== 'tested') return { kind: 'run' }
  if (!existsSync(resolve(root, text))) throw new Error(`there is no test ${text}`)
  return { kind, by: text }
}
