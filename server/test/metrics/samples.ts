import { sendRequest } from '../support/clients/send-request.ts'

/** A line of the text format: the value of a series. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Samples {
  /** Types by the names of metrics. */
  readonly types: ReadonlyMap<string, string>
  readonly all: readonly Sample[]
  /** The sum of the values of a name that have these labels, among others. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number
}

/**
 * Reads all metrics of a listener.
 * @param base its address
 */
export async function readSamples(base: string): Promise<Samples> {
  const { status, text } = await sendRequest(base, '/metrics')
  if (status !== 200) throw new Error(text)
  const lines = text.split('\n')
  const types = new Map(
    lines.flatMap((line) => {
      const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
      return name === undefined || type === undefined ? [] : [[name, type] as const]
    }),
  )
  const all = lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseSample)
  return {
    types,
    all,
    sum: (name, labels = {}) =>
      all
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

function parseSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === '') throw new Error(`not a line of the text format: ${line}`)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  }
}
