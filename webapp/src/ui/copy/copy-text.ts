/** The way before the clipboard API, which pages without HTTPS still have to go. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Inside an open dialog the focus may not leave it.
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

/** Puts text on the clipboard. @returns whether it is there */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}
