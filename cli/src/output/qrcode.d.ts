// The parts of the package that draw a code as text. Its main module also loads what draws pictures, which does not run in a bundle.
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode'
}

declare module 'qrcode/lib/renderer/utf8.js' {
  import type { QRCode, QRCodeRenderersOptions } from 'qrcode'

  export function render(code: QRCode, options: QRCodeRenderersOptions): string
}
