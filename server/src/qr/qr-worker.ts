import { parentPort } from 'node:worker_threads'
import QRCode from 'qrcode'
import type { QrResponse, QrCode, QrRequest } from './qr-codes.ts'

const port = parentPort
if (port === null) throw new Error('the worker for QR codes must be started as a worker thread')

/** Scanners need a quiet zone of at least two modules on a light page. */
const quietZoneModules = 2

port.on('message', (request: QrRequest) => {
  void handle(request)
})

async function handle({ number, url, size }: QrRequest): Promise<void> {
  const response: QrResponse = { number, code: await draw(url, size) }
  port?.postMessage(response)
}

async function draw(url: string, size: number): Promise<QrCode> {
  const minPixels = requiredPixels(url)
  if (minPixels === null) return { kind: 'too long' }
  if (size < minPixels) return { kind: 'too small', minPixels }
  // The library truncates the size; without half a pixel more, its division loses one pixel of some sizes.
  const image = await QRCode.toBuffer(url, { type: 'png', width: size + 0.5, margin: quietZoneModules })
  return { kind: 'drawn', image }
}

/** @returns null when no QR code holds a text of this length */
function requiredPixels(url: string): number | null {
  try {
    return QRCode.create(url, {}).modules.size + 2 * quietZoneModules
  } catch {
    return null
  }
}
