/**
 * Memory that threads can read too. That it could grow, to no more than its size, makes it begin at a page, as
 * writes need it that go past the page cache.
 */
export const sharedBytes = (size: number) =>
  new Uint8Array(new SharedArrayBuffer(size, { maxByteLength: size }), 0, size)
