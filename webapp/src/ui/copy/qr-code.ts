import { create, toDataURL } from 'qrcode'

/** Light modules on every side, so that a camera finds the code (ISO/IEC 18004, "quiet zone"). */
const quietZone = 4
/** Pixels of a module in the saved picture, enough for printing. */
const savedPixels = 12

export interface QrCode {
  /** Modules on a side, with the quiet zone. */
  readonly size: number
  /** The dark modules as an SVG path, one unit each. */
  readonly path: string
}

/** Adjacent dark modules are one rectangle, without gaps and with a short path. */
function pathOf(size: number, isDark: (row: number, column: number) => boolean): string {
  const parts: string[] = []
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue
      const start = column
      while (column < size && isDark(row, column)) column++
      const width = String(column - start)
      parts.push(`M${String(start + quietZone)} ${String(row + quietZone)}h${width}v1h-${width}z`)
    }
  }
  return parts.join('')
}

/** Draws a text in the page, so that no server sees it. Undefined for a text beyond the limit of about 2,300 letters. */
export function qrCode(text: string): QrCode | undefined {
  try {
    const { modules } = create(text, { errorCorrectionLevel: 'M' })
    const isDark = (row: number, column: number) => modules.get(row, column) === 1
    return { size: modules.size + 2 * quietZone, path: pathOf(modules.size, isDark) }
  } catch {
    return undefined
  }
}

/** The code as a PNG picture, in a `data:` address. */
export const qrPicture = (text: string): Promise<string> =>
  toDataURL(text, { errorCorrectionLevel: 'M', margin: quietZone, scale: savedPixels })
