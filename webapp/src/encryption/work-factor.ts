/** The work factor in the header of a file that is encrypted with a passphrase (https://age-encryption.org/v1). */
const workFactor = /^age-encryption\.org\/v1\n-> scrypt \S+ (\d+)\n/

/** That of generated passphrases. More would let a sender use the memory and the processor of each visitor without a click. */
const maxWorkFactor = 12

/** Whether opening a file takes more work than a generated passphrase: a second and 256 MB with a typed one. */
export async function takesMuchWork(encrypted: Blob): Promise<boolean> {
  const [, work = '0'] = workFactor.exec(await encrypted.slice(0, 128).text()) ?? []
  return Number(work) > maxWorkFactor
}
