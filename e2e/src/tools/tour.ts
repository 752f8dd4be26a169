import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer } from '../support/server.ts'
import { createSampleFiles } from './sample-files.ts'
import { journeysText, recordAll, type Recorded } from './recording/recordings.ts'
import { account } from './tour/account.ts'
import { administration } from './tour/administration.ts'
import {
  colorSchemes,
  fileNameOf,
  screenshotsIn,
  widths,
  type ColorScheme,
  type ShownState,
} from './tour/screenshots.ts'
import { failing } from './tour/failing.ts'
import { interrupting } from './tour/interrupting.ts'
import { otherLanguages } from './tour/languages.ts'
import { limits } from './tour/limits.ts'
import { live } from './tour/live.ts'
import { receiving } from './tour/receiving.ts'
import { requesting } from './tour/requesting.ts'
import type { TourResources, TourSection, TourStep } from './tour/tour-context.ts'
import { uploading } from './tour/uploading.ts'
import { viewing } from './tour/viewing.ts'

/**
 * Takes screenshots of the states of the page, in three widths, light and dark, records the journeys, and writes the page
 * that shows them: `npm run tour`. With names of steps, such as `npm run tour -- sharing locked`, it takes only their
 * screenshots, and with `--journeys` it makes only the recordings: both leave the page as it is.
 */
const docs = path.join(import.meta.dirname, '../../../docs')
const folder = path.join(docs, 'images/tour')
const recordings = path.join(docs, 'images/journeys')
/** The maximum size of all screenshots together, in bytes. */
const maxTotal = 17_000_000
/** Number of steps that run at the same time. */
const concurrency = 2

const sections: readonly TourSection[] = [
  uploading,
  live,
  receiving,
  viewing,
  limits,
  interrupting,
  requesting,
  account,
  administration,
  failing,
  otherLanguages,
]

interface NamedStep {
  readonly name: string
  readonly run: TourStep
}

const stepsBySection: ReadonlyMap<TourSection, readonly NamedStep[]> = new Map(
  sections.map((section) => [section, Object.entries(section.steps).map(([name, run]) => ({ name, run }))]),
)

const imageLink = (state: ShownState, width: number, colorScheme: ColorScheme) => {
  const address = `images/tour/${fileNameOf(state, width, colorScheme)}`
  return `[![${state.caption}, ${String(width)} pixels wide, ${colorScheme}](${address})](${address})`
}

const pageText = (
  recorded: readonly Recorded[],
  shown: ReadonlyMap<NamedStep, readonly ShownState[]>,
): string =>
  [
    '# A tour of the page',
    'This page shows what people come for, step by step, then each state in three widths, light and dark. `npm run tour` takes the pictures and writes this page.',
    '## Journeys',
    'A step is a click, a choice of files, or a text in a field. [A test](../e2e/src/journeys/journeys.test.ts) counts them.',
    ...journeysText(recorded),
    ...[...stepsBySection].flatMap(([{ title }, steps]) => [
      `## ${title}`,
      ...steps
        .flatMap((step) => shown.get(step) ?? [])
        .flatMap((state) => [
          `### ${state.caption}`,
          ...colorSchemes.map((colorScheme) =>
            widths.map((width) => imageLink(state, width, colorScheme)).join('\n'),
          ),
        ]),
    ]),
  ].join('\n\n') + '\n'

/** Runs a step, and closes what it has opened. Returns its states. */
async function runStep({ name, run }: NamedStep, resources: TourResources): Promise<readonly ShownState[]> {
  await using cleanup = new AsyncDisposableStack()
  const states: ShownState[] = []
  const screenshot = screenshotsIn(folder, (state) => {
    states.push(state)
    process.stdout.write(`${name}: ${state.name}\n`)
  })
  await run({ ...resources, screenshot, cleanup })
  return states
}

/** Runs steps, also after one that fails. */
async function runAll(
  steps: readonly NamedStep[],
  resources: TourResources,
): Promise<ReadonlyMap<NamedStep, readonly ShownState[]>> {
  const shown = new Map<NamedStep, readonly ShownState[]>()
  const failures: Error[] = []
  const waiting = [...steps]
  const runNext = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      try {
        shown.set(step, await runStep(step, resources))
      } catch (cause) {
        process.stderr.write(`${step.name} failed\n`)
        failures.push(new Error(step.name, { cause }))
      }
  }
  await Promise.all(Array.from({ length: concurrency }, runNext))
  if (failures.length > 0) throw new AggregateError(failures, `${String(failures.length)} steps failed`)
  return shown
}

async function totalSize(): Promise<string> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (file) => (await stat(path.join(folder, file))).size),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > maxTotal) throw new Error(`${String(total)} bytes of screenshots: at most ${String(maxTotal)}`)
  return `${String(sizes.length)} screenshots, ${String(total)} bytes`
}

const named = process.argv.slice(2)
const isWhole = named.length === 0
const all = [...stepsBySection.values()].flat()
const chosen = isWhole ? all : all.filter(({ name }) => named.includes(name))

await using cleanup = new AsyncDisposableStack()
if (isWhole) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const files = await mkdtemp(path.join(tmpdir(), 'svc-tour-'))
cleanup.defer(() => rm(files, { recursive: true }))
const [open, accounts, browser] = await Promise.all([startServer(), startServer(withAccounts), launch()])
cleanup.defer(async () => {
  await browser.close()
  await Promise.all([open.stop(), accounts.stop()])
})
const { page, context } = await visit(browser, open.url)
const sampleFiles = await createSampleFiles(page, files)
await context.close()
const [recorded, shown] = await Promise.all([
  isWhole || named.includes('--journeys') ? recordAll(browser, sampleFiles, recordings) : [],
  runAll(chosen, { browser, open, accounts, sampleFiles }),
])
if (isWhole) await writeFile(path.join(docs, 'tour.md'), pageText(recorded, shown))
process.stdout.write(`${await totalSize()}\n`)
