/**
 * Bytes of a small file. Its transfer mostly waits: for the disk of the server, or for its turn among other requests. So more of them
 * are transferred at the same time.
 */
const smallBytes = 64 * 1024

export const isSmall = (size: number): boolean => size <= smallBytes
