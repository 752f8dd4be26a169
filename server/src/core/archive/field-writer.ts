/** Writes fields of fixed width for binary formats. */
export interface FieldWriter {
  readonly bytes: Uint8Array
  readonly u8: (value: number) => void
  readonly u16: (value: number) => void
  readonly u32: (value: number) => void
  readonly i32: (value: number) => void
  readonly u64: (value: number) => void
  readonly text: (value: string) => void
}

/** Creates a writer of little-endian fields. */
export function fieldWriter(length: number): FieldWriter {
  const bytes = Buffer.alloc(length)
  let position = 0
  return {
    bytes,
    u8(value) {
      position = bytes.writeUInt8(value, position)
    },
    u16(value) {
      position = bytes.writeUInt16LE(value, position)
    },
    u32(value) {
      position = bytes.writeUInt32LE(value, position)
    },
    i32(value) {
      position = bytes.writeInt32LE(value, position)
    },
    u64(value) {
      position = bytes.writeBigUInt64LE(BigInt(value), position)
    },
    text(value) {
      position += bytes.write(value, position, 'utf8')
    },
  }
}
