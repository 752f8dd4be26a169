import { create } from 'qrcode/lib/core/qrcode.js'
import type { Program } from '../program/program.ts'
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

/** Shows the QR code of a link on standard error, since standard output has the link itself. */
export function showQrCode(program: Program, link: string): void {
  program.printToStderr(qrCode(link) ?? 'the link is too long for a QR code')
}
