/** Whether Gokapi has stored a file encrypted; `unknown` when its record cannot be read. */
export type Encryption = 'none' | 'encrypted' | 'unknown'

/**
 * Reads whether a file is encrypted. Gokapi stores a struct in the format of Go's `encoding/gob`
 * (https://pkg.go.dev/encoding/gob#hdr-Encoding_Details): messages, each after its length; the last one is the value, with the
 * number of its type and those fields that are not zero. A file without encryption has no such field.
 */
export function encryptionOf(column: unknown): Encryption {
  if (!(column instanceof Uint8Array)) return 'unknown'
  let value: Uint8Array | undefined
  for (let rest: Uint8Array = column; rest.length > 0;) {
    const length = readUnsigned(rest)
    if (length === null || length.bytes + length.value > rest.length) return 'unknown'
    value = rest.subarray(length.bytes, length.bytes + length.value)
    rest = rest.subarray(length.bytes + length.value)
  }
  const type = value === undefined ? null : readUnsigned(value)
  // A signed number with its sign in the lowest bit; definitions of types are negative.
  if (value === undefined || type === null || type.value % 2 === 1) return 'unknown'
  const field = value.at(type.bytes)
  if (field === undefined) return 'unknown'
  return field === 0 ? 'none' : 'encrypted'
}

/** An unsigned number: one byte below 128, or the negated count of its bytes and these, the most significant first. */
function readUnsigned(from: Uint8Array): { readonly value: number; readonly bytes: number } | null {
  const first = from.at(0)
  if (first === undefined) return null
  if (first < 0x80) return { value: first, bytes: 1 }
  const count = 256 - first
  if (count > 4 || from.length < 1 + count) return null
  let value = 0
  for (const byte of from.subarray(1, 1 + count)) value = value * 256 + byte
  return { value, bytes: 1 + count }
}
