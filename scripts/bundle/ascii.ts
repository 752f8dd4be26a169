/** Escapes other characters than ASCII: one of them doubles the memory of a source, and slows down loading. */
export const ascii = (code: string): string =>
  // eslint-disable-next-line no-control-regex -- the range of all ASCII characters
  code.replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
