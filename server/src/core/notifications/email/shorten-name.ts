/** The maximum number of characters of a name in a message. */
const nameLength = 100

export function shortenName(name: string): string {
  const characters = Array.from(name)
  return characters.length <= nameLength ? name : `${characters.slice(0, nameLength).join('')}…`
}
