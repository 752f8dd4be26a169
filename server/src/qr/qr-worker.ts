import { parentPort } from 'node:worker_threads'
import QRCode from 'qrcode'
import type { QrAnswer, QrCode, QrRequest } from './qr-codes.ts'

const port = parentPort
if (port === null) throw new Error('the worker for QR codes must be started as a worker thread')

/** A quiet zone of two modules is what scanners need at least on a page with a light background. */
const quietModules = 2

port.on('message', (request: QrRequest) => {
  void answer(request)
})

async function answer({ number, url, size }: QrRequest): Promise<void> {
  const answer: QrAnswer = { number, code: await draw(url, size) }
  port?.postMessage(answer)
}

async function draw(url: string, size: number): Promise<QrCode> {
  const least = leastPixels(url)
  if (least === null) return { kind: 'too long' }
  if (size < least) return { kind: 'too small', least }
  // Half a pixel more, which is cut off: otherwise the library's division takes one away from some sizes.
  const image = await QRCode.toBuffer(url, { type: 'png', width: size + 0.5, margin: quietModules })
  return { kind: 'drawn', image }
}

/** @returns null when there is no code that large */
function leastPixels(url: string): number | null {
  try {
    return QRCode.create(url, {}).modules.size + 2 * quietModules
  } catch {
    return null
  }
}
