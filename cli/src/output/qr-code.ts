import { create } from 'qrcode/lib/core/qrcode.js'
import { render } from 'qrcode/lib/renderer/utf8.js'

/** Light modules on every side, so that a camera finds the code. */
const margin = 2

/** A QR code as lines of a terminal; undefined for a text that none can hold. */
export function qrCode(text: string): string | undefined {
  try {
    return render(create(text, {}), { margin })
  } catch {
    return undefined
  }
}
