/** `<address>`, as mail programs write it after a name. */
const isBracketed = (word: string) => word.startsWith('<') && word.endsWith('>') && word.includes('@')

/** The words of one entry, without the name that an address in brackets follows. */
function wordsOf(entry: string): readonly string[] {
  const words = entry.replaceAll('<', ' <').replaceAll('>', '> ').split(/\s+/)
  const last = words.findLastIndex(isBracketed)
  return words.filter((word, index) => index > last || word.includes('@'))
}

/** Without what surrounds an address in messages and links. */
const bare = (word: string) =>
  (isBracketed(word) ? word.slice(1, -1) : word).replace(/^mailto:/i, '').replace(/\.$/, '')

/**
 * Addresses as people write them and mail programs copy them (`Ada <ada@x.example>`): separated by spaces, lines, commas
 * or semicolons.
 */
export const addressesIn = (text: string): readonly string[] => [
  ...new Map(
    text
      // The comma of a name in quotation marks separates nothing.
      .replaceAll(/"[^"\n]*"(?=\s*<)/g, '')
      .split(/[\n,;]/)
      .flatMap(wordsOf)
      .map(bare)
      .filter((word) => word !== '')
      .map((address) => [address.toLowerCase(), address]),
  ).values(),
]

/** The first word that cannot be an address. The server decides about all others. */
export const wrongAddress = (addresses: readonly string[]): string | undefined =>
  addresses.find((address) => !/^[^\s@<>"()]+@[^\s@<>"()]+$/.test(address))
