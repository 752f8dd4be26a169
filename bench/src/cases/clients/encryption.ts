import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'
import type { Bench } from '../../bench.ts'
import { run } from '../../processes/child.ts'
import { interleave, timeInSeconds } from '../../measure.ts'
import type { Case, Row } from '../../results/rows.ts'

const atLeast = 1.2
/** Node itself, its threads, and some megabytes in transit: the same for a file of any size. */
const maxMemoryBytes = 400e6

/** Our process as users run it: bundled into one file and one for its threads, compiled before the start. */
async function bundleProgram(directory: string): Promise<string> {
  const source = (name: string) => path.resolve(import.meta.dirname, '../../..', name)
  const bundle = await rolldown({
    input: {
      program: source('src/clients/encryption-process.ts'),
      worker: source('../encryption/src/node/worker.ts'),
    },
    platform: 'node',
    logLevel: 'warn',
  })
  await bundle.write({ dir: directory, format: 'esm', entryFileNames: '[name].mjs' })
  await bundle.close()
  return path.join(directory, 'program.mjs')
}

interface Variant {
  readonly name: 'encrypt' | 'decrypt'
  /** The input of our process: the recipient, or the identity. */
  readonly key: string
  readonly from: string
  readonly program: string
  readonly ageArguments: readonly string[]
}

/** Whole processes in turn, from start to end; the output is discarded, so that no disk is measured. */
async function compare(
  { size, signal }: Bench,
  { name, key, from, program, ageArguments }: Variant,
): Promise<Row[]> {
  let memory = 0
  const megabytesPerSecond = async (work: () => Promise<unknown>) => size / 1e6 / (await timeInSeconds(work))
  const measurements = await interleave({
    baseline: () =>
      megabytesPerSecond(() => run('age', [...ageArguments, '-o', '/dev/null', from], { signal })),
    ours: () =>
      megabytesPerSecond(async () => {
        const printed = await run(process.execPath, [program, name, key, from, '/dev/null'], { signal })
        memory = Math.max(memory, Number(printed))
      }),
  })
  const what = `${name} one large file in Node`
  return [
    {
      kind: 'comparison',
      what,
      unit: 'MB/s',
      ours: measurements.ours,
      baseline: { name: 'the age command', measurements: measurements.baseline },
      atLeast,
    },
    {
      kind: 'measurement',
      what: `${what}: most memory`,
      unit: 'MB',
      value: memory / 1e6,
      atMost: maxMemoryBytes / 1e6,
    },
  ]
}

/** Our encryption against the age command, which has the same format. */
export const encryption: Case<Bench> = {
  name: 'encryption',
  async run(bench) {
    const { signal } = bench
    const folder = await bench.newDirectory('encryption')
    const keyFile = path.join(folder, 'key')
    await run('age-keygen', ['-o', keyFile], { signal })
    const [identity = ''] = /^AGE-SECRET-KEY-.*$/m.exec(await readFile(keyFile, 'utf8')) ?? []
    const recipient = (await run('age-keygen', ['-y', keyFile], { signal })).trim()
    const plain = await bench.largeFile()
    const program = await bundleProgram(folder)
    const encrypted = path.join(folder, 'large.age')
    await run('age', ['-r', recipient, '-o', encrypted, plain], { signal })
    return [
      ...(await compare(bench, {
        name: 'encrypt',
        key: recipient,
        from: plain,
        program,
        ageArguments: ['-r', recipient],
      })),
      ...(await compare(bench, {
        name: 'decrypt',
        key: identity,
        from: encrypted,
        program,
        ageArguments: ['-d', '-i', keyFile],
      })),
    ]
  },
}
