/** Escapes other characters than ASCII: one of them doubles the memory of a source, and slows down loading. */
export const ascii = (code: string): string =>
  code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
