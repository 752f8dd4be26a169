import { Refused } from './import-error.ts'

/** A line of a text that is of no use, and why. */
export class BadLine extends Refused {
  constructor(number: number, reason: string, cause?: unknown) {
    super(`line ${String(number)}: ${reason}`, cause)
  }
}

export interface NumberedText {
  /** From 1 on. */
  readonly number: number
  readonly text: string
}

const lineBreak = 0x0a

/**
 * The lines of a text in UTF-8, as its bytes come.
 * @param longest bytes of a line: no more is ever kept
 * @throws BadLine for a longer one, and one that is not UTF-8
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<NumberedText> {
  let number = 1
  let parts: Uint8Array[] = []
  let length = 0
  const keep = (part: Uint8Array) => {
    length += part.length
    if (length > longest) throw new BadLine(number, `it is longer than ${String(longest)} bytes`)
    parts.push(part)
  }
  const take = (): NumberedText => {
    const taken = { number, text: decode(Buffer.concat(parts), number) }
    number += 1
    parts = []
    length = 0
    return taken
  }
  for await (const chunk of source) {
    let from = 0
    for (let to = chunk.indexOf(lineBreak); to >= 0; to = chunk.indexOf(lineBreak, from)) {
      keep(chunk.subarray(from, to))
      yield take()
      from = to + 1
    }
    if (from < chunk.length) keep(chunk.subarray(from))
  }
  if (length > 0) yield take()
}

function decode(bytes: Uint8Array, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new BadLine(number, 'it is not UTF-8', cause)
  }
}
