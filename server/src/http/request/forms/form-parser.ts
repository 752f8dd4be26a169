/** What takes the bytes of a part. */
export interface PartSink {
  /** Takes some bytes, which belong to the sink then. */
  readonly write: (bytes: Buffer) => void
  /** The part has ended: another one, or the end of the form, follows. */
  readonly end: () => void
}

/**
 * Called when a part begins.
 * @param headers lines with `\r\n` before each
 * @returns undefined if nothing wants the bytes of the part
 */
export type OnPart = (headers: string) => PartSink | undefined

export interface FormLimits {
  /** Maximum bytes of the headers of a part. */
  readonly headerBytes: number
  /** Maximum bytes of everything but the parts that have a sink. */
  readonly otherBytes: number
}

/** The form violates RFC 7578, or exceeds a limit. */
export class MalformedFormError extends Error {
  override readonly name = 'MalformedFormError'
}

const tooLong = () => new MalformedFormError('the headers of a part are too long')

export interface FormParser {
  /**
   * Parses the next bytes.
   * @throws MalformedFormError, and the errors of `onPart` and its sinks
   */
  readonly write: (chunk: Buffer) => void
  /**
   * To be called after the last bytes.
   * @throws MalformedFormError if the form is incomplete
   */
  readonly end: () => void
}

/**
 * - `body`: the bytes of a part, or those before the first one
 * - `delimiter`: directly after a delimiter
 * - `headers`: at the line end before the headers of a part
 * - `blank`: at the blank line after them
 * - `epilogue`: after the last delimiter
 */
type State = 'body' | 'delimiter' | 'headers' | 'blank' | 'epilogue'

const lineEnd = '\r\n'
const lineEndBytes = Buffer.from(lineEnd)
const headersEnd = Buffer.from(lineEnd + lineEnd)
/** Maximum spaces after a boundary (RFC 2046: transport padding). */
const maxPadding = 100
const nothing = Buffer.alloc(0)
const [space, tab, dash] = [0x20, 0x09, 0x2d]

/**
 * Parses a `multipart/form-data` body (RFC 7578, RFC 2046 §5.1) while it arrives. It keeps no bytes but the headers of a part
 * and what may be the start of a delimiter.
 */
export function formParser(
  boundary: string,
  { headerBytes, otherBytes }: FormLimits,
  onPart: OnPart,
): FormParser {
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`, 'latin1')
  let state: State = 'body'
  /** Of the part that is being parsed. */
  let sink: PartSink | undefined
  let others = 0
  /** Few bytes whose meaning depends on the next ones. The first delimiter needs no line end before it. */
  let kept: Buffer = lineEndBytes
  let data: Buffer = nothing
  /** Headers that arrive in several chunks, however small: what has arrived is neither copied nor searched again. */
  let partial: { readonly bytes: Buffer; length: number } | undefined

  const count = (bytes: number) => {
    others += bytes
    if (others > otherBytes) throw new MalformedFormError('it has too many bytes besides its files')
  }
  const pass = (bytes: Buffer) => {
    if (bytes.length === 0) return
    if (sink === undefined) count(bytes.length)
    else sink.write(bytes)
  }
  const keep = (bytes: Buffer) => {
    // A copy, because a chunk belongs to the sink of its bytes.
    kept = bytes.length === 0 ? nothing : Buffer.from(bytes)
    return -1
  }
  const startsDelimiter = (bytes: Buffer) => delimiter.subarray(0, bytes.length).equals(bytes)

  /** @param bytes bytes of the headers */
  const begin = (headers: string, bytes: number) => {
    count(bytes + headersEnd.length)
    sink = onPart(headers)
    state = 'blank'
  }

  /** Each step parses `data` from `at`. Returns the position after what it has parsed, or -1 if it needs more bytes. */
  const steps: Record<State, (at: number) => number> = {
    body(at) {
      const found = data.indexOf(delimiter, at)
      if (found >= 0) {
        pass(data.subarray(at, found))
        sink?.end()
        sink = undefined
        count(delimiter.length)
        state = 'delimiter'
        return found + delimiter.length
      }
      // A delimiter has a carriage return at its start only, so no other position can start one.
      const tail = data.subarray(Math.max(at, data.length - delimiter.length))
      const last = tail.lastIndexOf('\r')
      const rest = last >= 0 && startsDelimiter(tail.subarray(last)) ? tail.subarray(last) : nothing
      pass(data.subarray(at, data.length - rest.length))
      return keep(rest)
    },
    delimiter(at) {
      if (data[at] === dash && data[at + 1] === dash) {
        state = 'epilogue'
        return at
      }
      let end = at
      while (data[end] === space || data[end] === tab) end += 1
      const next = data.toString('latin1', end, end + lineEnd.length)
      if (next === lineEnd) {
        count(end - at)
        state = 'headers'
        return end
      }
      const isOpen = next.length < lineEnd.length && (lineEnd.startsWith(next) || next === '-')
      if (!isOpen || end - at > maxPadding)
        throw new MalformedFormError('a line with its boundary has other characters')
      return keep(data.subarray(at))
    },
    headers(at) {
      if (partial === undefined) {
        const found = data.indexOf(headersEnd, at)
        if (found - at > headerBytes) throw tooLong()
        if (found >= 0) {
          begin(data.toString('utf8', at, found), found - at)
          return found + lineEnd.length
        }
        partial = { bytes: Buffer.allocUnsafe(headerBytes + headersEnd.length), length: 0 }
      }
      const { bytes, length } = partial
      const end = length + data.copy(bytes, length, at)
      partial.length = end
      const found = bytes.subarray(0, end).indexOf(headersEnd, Math.max(0, length - headersEnd.length + 1))
      if (found < 0) {
        if (end === bytes.length) throw tooLong()
        return -1
      }
      partial = undefined
      begin(bytes.toString('utf8', 0, found), found)
      // The blank line may have begun in an earlier chunk.
      data = Buffer.concat([lineEndBytes, data.subarray(at + found + headersEnd.length - length)])
      return 0
    },
    // It is the line end of a delimiter if the part has no body.
    blank(at) {
      const next = data.subarray(at, at + delimiter.length)
      if (next.length < delimiter.length && startsDelimiter(next)) return keep(next)
      state = 'body'
      return startsDelimiter(next) ? at : at + lineEnd.length
    },
    epilogue(at) {
      count(data.length - at)
      return -1
    },
  }

  return {
    write(chunk) {
      data = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
      kept = nothing
      let at = 0
      while (at >= 0) at = steps[state](at)
      // A chunk belongs to the sink of its bytes.
      data = nothing
    },
    end() {
      if (state !== 'epilogue') throw new MalformedFormError('it is incomplete')
    },
  }
}
