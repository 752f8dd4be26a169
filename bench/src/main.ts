import { writeFile } from 'node:fs/promises'
import { openBench } from './bench.ts'
import { cases } from './cases/all.ts'
import { readOptions, usage, UsageError, type Options } from './options.ts'
import { drawPicture } from './results/picture.ts'
import { json, markdown } from './results/report.ts'
import type { Row } from './results/rows.ts'
import { MissingToolsError, requireTools } from './tools.ts'
import { targetResult } from './results/target.ts'

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  // Not once: npm repeats the signal of a terminal, and the cleanup must survive the second one.
  process.on(name, () => {
    interruption.abort(new Error('interrupted'))
  })
}

try {
  const options = readOptions(
    process.argv.slice(2),
    cases.map(({ name }) => name),
  )
  if (chooseCases(options).some(({ needsTools }) => needsTools !== false))
    requireTools(process.env['PATH'] ?? '')
  const rows: Row[] = []
  try {
    await measure(options, rows)
  } finally {
    // Measurements before a failure count, too.
    if (rows.length > 0) await report(options, rows)
  }
} catch (error) {
  if (interruption.signal.aborted) console.error('interrupted; everything is cleaned up')
  else if (error instanceof UsageError) console.error(`${error.message}\n${usage}`)
  else if (error instanceof MissingToolsError) console.error(error.message)
  else console.error(error)
  process.exitCode = 2
}

function chooseCases({ only, peer }: Pick<Options, 'only' | 'peer'>) {
  const isWanted = ({ isLong, needsPeer }: (typeof cases)[number]) =>
    isLong !== true && (needsPeer !== true || peer !== null)
  return cases.filter((benchCase) => only?.includes(benchCase.name) ?? isWanted(benchCase))
}

async function measure({ only, ...options }: Options, rows: Row[]): Promise<void> {
  await using bench = await openBench({ ...options, signal: interruption.signal })
  for (const { name, run } of chooseCases({ only, peer: options.peer })) {
    console.error(`${name} …`)
    rows.push(...(await run(bench)))
  }
}

async function report({ size, json: file, picture, strict }: Options, rows: readonly Row[]): Promise<void> {
  const circumstances = { at: Date.now(), size }
  console.log(markdown(rows, circumstances))
  if (file !== null) await writeFile(file, json(rows, circumstances))
  if (picture !== null) await writeFile(picture, drawPicture(rows))
  const missed = rows.filter((row) => targetResult(row) === 'missed').length
  if (missed > 0) console.error(`${String(missed)} targets were missed`)
  if (strict && missed > 0) process.exitCode = 1
}
