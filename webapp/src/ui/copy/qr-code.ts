import { create, toDataURL } from 'qrcode'

/** Modules that stay light on every side, so that a camera finds the code (ISO/IEC 18004, "quiet zone"). */
const quietZone = 4
/** Pixels of a module in the picture that is saved: sharp on paper, too. */
const savedPixels = 12

export interface QrCode {
  /** Modules on a side, with the quiet zone. */
  readonly size: number
  /** The dark modules as an SVG path, one unit each. */
  readonly path: string
}

/** Dark modules beside each other are one rectangle: no hairlines between them, and a short path. */
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

/** Draws a text here, so that no server learns it. Undefined for one that no code has room for: about 2,300 letters. */
export function qrCode(text: string): QrCode | undefined {
  try {
    const { modules } = create(text, { errorCorrectionLevel: 'M' })
    const isDark = (row: number, column: number) => modules.get(row, column) === 1
    return { size: modules.size + 2 * quietZone, path: pathOf(modules.size, isDark) }
  } catch {
    return undefined
  }
}

/** The same code as a PNG picture, to be saved: a `data:` address. */
export const qrPicture = (text: string): Promise<string> =>
  toDataURL(text, { errorCorrectionLevel: 'M', margin: quietZone, scale: savedPixels })
