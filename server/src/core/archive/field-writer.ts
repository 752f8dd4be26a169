/** Fields of fixed width, as binary formats have them. */
export interface FieldWriter {
  readonly bytes: Uint8Array
  readonly u8: (value: number) => void
  readonly u16: (value: number) => void
  readonly u32: (value: number) => void
  readonly i32: (value: number) => void
  readonly u64: (value: number) => void
  readonly text: (value: string) => void
}

/** Writes little-endian fields one after the other. */
export function fieldWriter(length: number): FieldWriter {
  const bytes = Buffer.alloc(length)
  let at = 0
  return {
    bytes,
    u8(value) {
      at = bytes.writeUInt8(value, at)
    },
    u16(value) {
      at = bytes.writeUInt16LE(value, at)
    },
    u32(value) {
      at = bytes.writeUInt32LE(value, at)
    },
    i32(value) {
      at = bytes.writeInt32LE(value, at)
    },
    u64(value) {
      at = bytes.writeBigUInt64LE(BigInt(value), at)
    },
    text(value) {
      at += bytes.write(value, at, 'utf8')
    },
  }
}
