/** Writes fields of fixed width for binary formats. */
export interface FieldWriter {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly u16: (value: number) => void
  readonly u32: (value: number) => void
  readonly u64: (value: number) => void
  readonly raw: (value: Uint8Array) => void
}

/** Creates a writer of little-endian fields. They throw a RangeError for values that do not fit: `DataView` cuts them. */
export function fieldWriter(length: number): FieldWriter {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  let position = 0
  const advance = (width: number) => {
    position += width
    return position - width
  }
  const requireInRange = (value: number, bits: number) => {
    if (value >= 0 && value < 2 ** bits) return value
    throw new RangeError(`${String(value)} does not fit into ${String(bits)} bits`)
  }
  return {
    bytes,
    u16: (value) => view.setUint16(advance(2), requireInRange(value, 16), true),
    u32: (value) => view.setUint32(advance(4), requireInRange(value, 32), true),
    u64: (value) => view.setBigUint64(advance(8), BigInt(requireInRange(value, 64)), true),
    raw: (value) => bytes.set(value, advance(value.length)),
  }
}
