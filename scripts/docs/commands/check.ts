import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { blocksOf, type Block } from './blocks.ts'
import { startSandbox } from './sandbox.ts'
import { setUps } from './pages.ts'

/**
 * Runs the shell commands of README.md and docs/ that run on this machine, each page in a folder with a server, and lists the
 * blocks that are not tried (`npm run docs:check`). Without arguments all pages; else those that are named.
 */
const root = resolve(import.meta.dirname, '../../..')

const named = process.argv.slice(2)
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root }).sort()].filter(
  (page) => named.length === 0 || named.includes(page),
)

const where = ({ page, line }: Block): string => `${page}:${String(line)}`

/** @returns whether all blocks of a page that can run did */
async function checkPage(page: string, blocks: readonly Block[]): Promise<boolean> {
  const setUp = setUps[page] ?? {}
  const sandbox = await startSandbox(setUp)
  try {
    const replaceExamples = (script: string) => {
      let text = script.replaceAll(/https?:\/\/(?:127\.0\.0\.1:8080|svc\.example(?![.\w]))/g, sandbox.url)
      for (const [pattern, value] of setUp.examples ?? []) text = text.replace(pattern, value)
      return text
    }
    // One shell for a page: variables of a block are used by the next ones.
    const parts = blocks.map((block) => `echo '@@${where(block)}'\n${replaceExamples(block.script)}`)
    const { status, output } = await sandbox.run(`${setUp.before ?? ''}\n${parts.join('\n')}\necho '@@end'`)
    if (status === 0 && output.includes('@@end')) return true
    const last = output.slice(output.lastIndexOf('@@'))
    console.error(`${page}: failed with status ${String(status)} in the block at ${last.slice(2, 2_000)}`)
    return false
  } finally {
    await sandbox.remove()
  }
}

let tried = 0
let failed = 0
const tested: Block[] = []
const untried: string[] = []
for (const page of pages) {
  const blocks = blocksOf(root, page)
  for (const block of blocks) {
    if (block.mark.kind === 'tested') tested.push(block)
    if (block.mark.kind === 'untried') untried.push(`${where(block)}: ${block.mark.reason}`)
  }
  const runnable = blocks.filter(({ mark }) => mark.kind === 'run')
  if (runnable.length === 0) continue
  if (await checkPage(page, runnable)) tried += runnable.length
  else failed += 1
}

console.log(`${String(tried)} blocks ran; ${String(tested.length)} more are run by tests; not tried:`)
for (const line of untried) console.log(`  ${line}`)
if (failed > 0) {
  console.error(`${String(failed)} pages failed`)
  process.exitCode = 1
}
