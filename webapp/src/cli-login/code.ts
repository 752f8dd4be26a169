/** Letters and digits of a code, without the dash in its middle. */
const length = 8
const half = 4

/** Formats typed or pasted text as a code, `XXXX-XXXX`; shorter while it is being typed. */
export function formatCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, length)
  return letters.length > half ? `${letters.slice(0, half)}-${letters.slice(half)}` : letters
}

/** Whether a formatted code is complete. */
export const isComplete = (code: string) => code.length === length + 1

/**
 * The position of the caret after formatting: behind the same number of letters.
 * @param caret index in the text as it was typed
 */
export function caretAfter(typed: string, caret: number): number {
  return formatCode(typed.slice(0, caret)).length
}
