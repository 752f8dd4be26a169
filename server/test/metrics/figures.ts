import { ask } from '../support/ask.ts'

/** What a line of the text format says: a figure of a series. */
export interface Figure {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Figures {
  /** Types by the names of metrics. */
  readonly types: ReadonlyMap<string, string>
  readonly all: readonly Figure[]
  /** The sum of the figures of a name that have these labels, among others. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number
}

/** Asks a listener for all figures. @param base its address */
export async function figuresOf(base: string): Promise<Figures> {
  const { status, text } = await ask(base, '/metrics')
  if (status !== 200) throw new Error(text)
  const lines = text.split('\n')
  const types = new Map(
    lines.flatMap((line) => {
      const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
      return name === undefined || type === undefined ? [] : [[name, type] as const]
    }),
  )
  const all = lines.filter((line) => line !== '' && !line.startsWith('#')).map(figureIn)
  return {
    types,
    all,
    sum: (name, labels = {}) =>
      all
        .filter((figure) => figure.name === name)
        .filter((figure) => Object.entries(labels).every(([label, value]) => figure.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

function figureIn(line: string): Figure {
  const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === '') throw new Error(`not a line of the text format: ${line}`)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  }
}
