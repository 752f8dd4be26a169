/** Bytes of content in every chunk but the last (age v1, "Payload"). */
export const chunkBytes = 64 * 1024
/** Bytes that encryption adds to a chunk: the tag of Poly1305. */
export const tagBytes = 16
export const encryptedChunkBytes = chunkBytes + tagBytes
/** Bytes of the random nonce between the header and the first chunk. */
export const payloadNonceBytes = 16

const chunkNonceBytes = 12

/**
 * The nonce of a chunk: an 11-byte counter, then 1 for the last chunk and 0 for the others.
 * @param index an integer up to 2^53
 */
export function chunkNonce(index: number, isLast: boolean): Uint8Array<ArrayBuffer> {
  const nonce = new Uint8Array(chunkNonceBytes)
  const view = new DataView(nonce.buffer)
  view.setUint32(3, Math.floor(index / 2 ** 32))
  view.setUint32(7, index % 2 ** 32)
  view.setUint8(11, isLast ? 1 : 0)
  return nonce
}
