import { CommandError } from '../domain/command-error.ts'

/** An invalid line of a text, with the reason. */
export class InvalidLineError extends CommandError {
  constructor(number: number, reason: string, cause?: unknown) {
    super(`line ${String(number)}: ${reason}`, cause)
  }
}

export interface NumberedText {
  /** Starts at 1. */
  readonly number: number
  readonly text: string
}

const lineBreak = 0x0a

/**
 * Splits a stream of UTF-8 text into lines.
 * @param maxBytes maximum bytes of a line, which limits the memory
 * @throws InvalidLineError for a longer line, and one that is not UTF-8
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<NumberedText> {
  let number = 1
  let parts: Uint8Array[] = []
  let length = 0
  const append = (part: Uint8Array) => {
    length += part.length
    if (length > maxBytes) throw new InvalidLineError(number, `it is longer than ${String(maxBytes)} bytes`)
    parts.push(part)
  }
  const endLine = (): NumberedText => {
    const line = { number, text: decode(Buffer.concat(parts), number) }
    number += 1
    parts = []
    length = 0
    return line
  }
  for await (const chunk of source) {
    let from = 0
    for (let to = chunk.indexOf(lineBreak); to >= 0; to = chunk.indexOf(lineBreak, from)) {
      append(chunk.subarray(from, to))
      yield endLine()
      from = to + 1
    }
    if (from < chunk.length) append(chunk.subarray(from))
  }
  if (length > 0) yield endLine()
}

function decode(bytes: Uint8Array, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new InvalidLineError(number, 'it is not UTF-8', cause)
  }
}
