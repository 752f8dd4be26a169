/** Addresses as people write them: separated by spaces, lines, commas or semicolons. */
export const addressesIn = (text: string): readonly string[] => [
  ...new Map(
    text
      .split(/[\s,;]+/)
      .filter((word) => word !== '')
      .map((address) => [address.toLowerCase(), address]),
  ).values(),
]

/** The first word that cannot be an address. The server decides about all others. */
export const wrongAddress = (addresses: readonly string[]): string | undefined =>
  addresses.find((address) => !/^[^\s@<>"()]+@[^\s@<>"()]+$/.test(address))
