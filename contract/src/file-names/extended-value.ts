/** A value such as `UTF-8''na%C3%AFve.txt` (RFC 8187); undefined for an invalid one. */
export function extendedValue(value: string): string | undefined {
  const [, charset = '', text = ''] = /^([^']*)'[^']*'(.*)$/.exec(value) ?? []
  const isLatin = charset.toLowerCase() === 'iso-8859-1'
  if (!isLatin && charset.toLowerCase() !== 'utf-8') return undefined
  try {
    return isLatin
      ? text.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
      : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
