/**
 * Memory that threads can share. A growable buffer (with its size as maximum) begins at a page boundary, which writes that
 * bypass the page cache require.
 */
export const sharedBytes = (size: number) =>
  new Uint8Array(new SharedArrayBuffer(size, { maxByteLength: size }), 0, size)
