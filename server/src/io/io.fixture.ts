export const bytesOf = (size: number): Buffer<ArrayBuffer> =>
  Buffer.alloc(size, 'some bytes that repeat after a prime number of steps.')

/** Resolves to the error of a promise, or to `fine`. */
export const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'fine',
    (error: unknown) => error,
  )
