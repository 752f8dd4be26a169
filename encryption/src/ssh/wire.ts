/** Reads the fields of an SSH structure in order (RFC 4251 §5). */
export interface WireReader {
  /** A `string`: bytes with their length before them. */
  readonly bytes: () => Uint8Array<ArrayBuffer>
  readonly text: () => string
  /** A positive `mpint` without leading zeros. */
  readonly integer: () => Uint8Array<ArrayBuffer>
  readonly uint32: () => number
  /** Reads this many bytes. */
  readonly take: (length: number) => Uint8Array<ArrayBuffer>
  /** All bytes that are left. */
  readonly rest: () => Uint8Array<ArrayBuffer>
}

const lengthBytes = 4

/** Its methods throw a RangeError when a field extends beyond the end. */
export function readWire(whole: Uint8Array): WireReader {
  const bytes = Uint8Array.from(whole)
  const view = new DataView(bytes.buffer)
  let at = 0
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('the structure ends too early')
    at += length
    return bytes.slice(at - length, at)
  }
  const uint32 = () => {
    const value = view.getUint32(at)
    at += lengthBytes
    return value
  }
  const field = () => take(uint32())
  return {
    bytes: field,
    text: () => new TextDecoder('latin1').decode(field()),
    integer: () => {
      const digits = field()
      const first = digits.findIndex((byte) => byte !== 0)
      return first === -1 ? new Uint8Array() : digits.slice(first)
    },
    uint32,
    take,
    rest: () => take(bytes.length - at),
  }
}
