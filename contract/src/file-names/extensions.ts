/** An extension as an upload request stores it: in lower case, without a dot at its start. */
export const normalizeExtension = (text: string): string => text.trim().replace(/^\.+/, '').toLowerCase()

/**
 * Whether a file name has an allowed extension, such as `pdf` or `tar.gz`.
 * @param allowed as `normalizeExtension` returns them; without any, every name is allowed
 */
export function isAllowedExtension(fileName: string, allowed: readonly string[]): boolean {
  const name = fileName.toLowerCase()
  return allowed.length === 0 || allowed.some((extension) => name.endsWith(`.${extension}`))
}
