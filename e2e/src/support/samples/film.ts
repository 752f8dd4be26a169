import type { Page } from 'playwright-core'

/** A film of a few frames in WebM, which the browser records. */
export const film = async (page: Page): Promise<Buffer<ArrayBuffer>> =>
  Buffer.from(
    await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 320
      canvas.height = 180
      const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
      const parts: Blob[] = []
      recorder.ondataavailable = ({ data }) => parts.push(data)
      const stopped = new Promise((resolve) => (recorder.onstop = resolve))
      recorder.start()
      const context = canvas.getContext('2d')
      for (let frame = 0; frame < 12; frame += 1) {
        if (context) context.fillStyle = `hsl(${String(frame * 20)} 60% 50%)`
        context?.fillRect(0, 0, 320, 180)
        for (let wait = 0; wait < 3; wait += 1) await new Promise(requestAnimationFrame)
      }
      recorder.stop()
      await stopped
      return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
    }),
  )
