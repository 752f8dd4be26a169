/**
 * Removes line comments from JSON. Double slashes inside a string, as in an address, stay.
 * @returns the text with every comment cut off, lines kept
 */
export function stripComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\r\n]*/g,
    (_match, quoted: string | undefined) => quoted ?? '',
  )
}
