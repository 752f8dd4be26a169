/** The reversed polynomial of CRC-32 (ISO 3309), eight steps for each value of a byte. */
const table = /* @__PURE__ */ (() => {
  const steps = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    steps[byte] = value
  }
  return steps
})()

/**
 * Continues a checksum.
 * @param before checksum of the bytes so far; 0 at the beginning
 */
export function crc32(bytes: Uint8Array, before: number): number {
  let value = ~before
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return ~value >>> 0
}
