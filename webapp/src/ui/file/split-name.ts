/** The folder part of a name, with its slash, and the rest. */
export function splitName(name: string): { readonly folder: string; readonly base: string } {
  const slash = name.lastIndexOf('/') + 1
  return { folder: name.slice(0, slash), base: name.slice(slash) }
}
