/**
 * Removes line comments from JSON. Double slashes inside strings, such as addresses, stay.
 * @returns the text without comments, with all line breaks
 */
export function stripComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\r\n]*/g,
    (_match, quoted: string | undefined) => quoted ?? '',
  )
}
