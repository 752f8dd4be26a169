import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from '../bench.ts'
import { run } from '../child.ts'
import { interleave, seconds } from '../measure.ts'
import type { Case, Row } from '../rows.ts'

const program = path.resolve(import.meta.dirname, '../clients/encryption-process.ts')
const atLeast = 1.2
/** Node itself, its threads, and some megabytes on their way: the same for a file of any size. */
const mostMemory = 400e6

interface Way {
  readonly name: 'encrypt' | 'decrypt'
  /** What our process is told: whom to encrypt for, or whose file it is. */
  readonly key: string
  readonly from: string
  readonly ageArguments: readonly string[]
}

/** Whole processes side by side, from start to end; the result goes nowhere, so that no disk is measured. */
async function compare({ size, signal }: Bench, { name, key, from, ageArguments }: Way): Promise<Row[]> {
  let memory = 0
  const megabytesPerSecond = async (work: () => Promise<unknown>) => size / 1e6 / (await seconds(work))
  const figures = await interleave({
    yardstick: () =>
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
      ours: figures.ours,
      yardstick: { name: 'the age command', figures: figures.yardstick },
      atLeast,
    },
    {
      kind: 'amount',
      what: `${what}: most memory`,
      unit: 'MB',
      figure: memory / 1e6,
      atMost: mostMemory / 1e6,
    },
  ]
}

/** Our encryption against the command that others use for the same format. */
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
    const encrypted = path.join(folder, 'large.age')
    await run('age', ['-r', recipient, '-o', encrypted, plain], { signal })
    return [
      ...(await compare(bench, {
        name: 'encrypt',
        key: recipient,
        from: plain,
        ageArguments: ['-r', recipient],
      })),
      ...(await compare(bench, {
        name: 'decrypt',
        key: identity,
        from: encrypted,
        ageArguments: ['-d', '-i', keyFile],
      })),
    ]
  },
}
