/** CRC-32 with Castagnoli's polynomial, in Base64 as Google Cloud Storage writes it (RFC 3720, appendix B.4). */
export function crc32c(bytes: Uint8Array): string {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
  const value = Buffer.alloc(4)
  value.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return value.toString('base64')
}

const table = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value >>> 0
})
