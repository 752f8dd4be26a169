/** Letters and digits of a code, without the dash in its middle. */
const length = 8
const half = 4

/** A code as it is written, `XXXX-XXXX`, from typed or pasted text; shorter while it is being typed. */
export function formatCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, length)
  return letters.length > half ? `${letters.slice(0, half)}-${letters.slice(half)}` : letters
}

/** Whether a written code has all its letters. */
export const isComplete = (code: string) => code.length === length + 1

/**
 * Where the caret belongs after a text was rewritten: behind as many letters as before.
 * @param caret index in the text as it was typed
 */
export function caretAfter(typed: string, caret: number): number {
  return formatCode(typed.slice(0, caret)).length
}
