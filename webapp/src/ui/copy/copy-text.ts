/** Copies without the clipboard API, which pages without HTTPS lack. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // An open dialog keeps the focus inside.
  const place = document.querySelector('[role="dialog"]') ?? document.body
  const focused = document.activeElement
  place.append(area)
  area.select()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else works without HTTPS
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/**
 * Copies a text to the clipboard.
 * @returns whether copying succeeded
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}
