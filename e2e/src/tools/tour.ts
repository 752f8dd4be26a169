import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer } from '../support/server.ts'
import { drawnFiles } from './drawn-files.ts'
import { journeysText, recordAll, type Recorded } from './recording/recordings.ts'
import { account } from './tour/account.ts'
import { administration } from './tour/administration.ts'
import { camera, colours, fileNameOf, widths, type Shown } from './tour/camera.ts'
import { failing } from './tour/failing.ts'
import { interrupting } from './tour/interrupting.ts'
import { otherLanguages } from './tour/languages.ts'
import { limits } from './tour/limits.ts'
import { live } from './tour/live.ts'
import { receiving } from './tour/receiving.ts'
import { requesting } from './tour/requesting.ts'
import type { Chapter, Scene, Set } from './tour/stage.ts'
import { uploading } from './tour/uploading.ts'
import { viewing } from './tour/viewing.ts'

/**
 * Takes pictures of the states of the page, in three widths, light and dark, records the journeys, and writes the page
 * that shows them: `npm run tour`. With names of scenes, such as `npm run tour -- sharing locked`, it takes only their
 * pictures, and with `--journeys` it makes only the recordings: both leave the page as it is.
 */
const docs = path.join(import.meta.dirname, '../../../docs')
const folder = path.join(docs, 'images/tour')
const recordings = path.join(docs, 'images/journeys')
/** Bytes of all pictures. */
const maxTotal = 17_000_000
/** Scenes that are played at the same time. */
const concurrency = 2

const chapters: readonly Chapter[] = [
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

const picture = (state: Shown, width: number, colour: (typeof colours)[number]) => {
  const address = `images/tour/${fileNameOf(state, width, colour)}`
  return `[![${state.words}, ${String(width)} pixels wide, ${colour}](${address})](${address})`
}

const pageText = (recorded: readonly Recorded[], shown: ReadonlyMap<Scene, readonly Shown[]>): string =>
  [
    '# A tour of the page',
    'This page shows what people come for, step by step, then each state in three widths, light and dark. `npm run tour` takes the pictures and writes this page.',
    '## Journeys',
    'A step is a click, a choice of files, or a text in a field. [A test](../e2e/src/journeys/journeys.test.ts) counts them.',
    ...journeysText(recorded),
    ...chapters.flatMap(({ title, scenes }) => [
      `## ${title}`,
      ...scenes
        .flatMap((scene) => shown.get(scene) ?? [])
        .flatMap((state) => [
          `### ${state.words}`,
          ...colours.map((colour) => widths.map((width) => picture(state, width, colour)).join('\n')),
        ]),
    ]),
  ].join('\n\n') + '\n'

/** Plays a scene, and closes what it has opened. Returns its states. */
async function play(scene: Scene, set: Set): Promise<readonly Shown[]> {
  await using cleanup = new AsyncDisposableStack()
  const states: Shown[] = []
  const shoot = camera(folder, (state) => {
    states.push(state)
    process.stdout.write(`${scene.name}: ${state.name}\n`)
  })
  await scene({ ...set, shoot, cleanup })
  return states
}

/** Plays scenes, also after one that fails. */
async function playAll(scenes: readonly Scene[], set: Set): Promise<ReadonlyMap<Scene, readonly Shown[]>> {
  const shown = new Map<Scene, readonly Shown[]>()
  const failures: Error[] = []
  const waiting = [...scenes]
  const playNext = async () => {
    for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift())
      try {
        shown.set(scene, await play(scene, set))
      } catch (cause) {
        process.stderr.write(`${scene.name} failed\n`)
        failures.push(new Error(scene.name, { cause }))
      }
  }
  await Promise.all(Array.from({ length: concurrency }, playNext))
  if (failures.length > 0) throw new AggregateError(failures, `${String(failures.length)} scenes failed`)
  return shown
}

async function totalSize(): Promise<string> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (file) => (await stat(path.join(folder, file))).size),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > maxTotal) throw new Error(`${String(total)} bytes of pictures: at most ${String(maxTotal)}`)
  return `${String(sizes.length)} pictures, ${String(total)} bytes`
}

const named = process.argv.slice(2)
const isWhole = named.length === 0
const all = chapters.flatMap(({ scenes }) => scenes)
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
const drawn = await drawnFiles(page, files)
await context.close()
const [recorded, shown] = await Promise.all([
  isWhole || named.includes('--journeys') ? recordAll(browser, drawn, recordings) : [],
  playAll(chosen, { browser, open, accounts, drawn }),
])
if (isWhole) await writeFile(path.join(docs, 'tour.md'), pageText(recorded, shown))
process.stdout.write(`${await totalSize()}\n`)
