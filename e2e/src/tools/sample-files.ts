import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'

export interface SampleFile {
  readonly name: string
  readonly buffer: Buffer
  /** Where it is on the disk. */
  readonly path: string
}

/** Landscapes that the browser draws: no photos of others are needed. */
const landscapes = [
  { name: 'Colosseum at dawn.jpg', width: 1600, height: 1200, hue: 20 },
  { name: 'Tiber.jpg', width: 900, height: 1400, hue: 200 },
  {
    name: 'A panorama of the city and its hills in the evening light.jpg',
    width: 1800,
    height: 700,
    hue: 300,
  },
] as const

async function drawLandscapes(page: Page): Promise<Buffer[]> {
  const drawn = await page.evaluate(
    (all) =>
      Promise.all(
        all.map(async ({ width, height, hue }) => {
          const canvas = new OffscreenCanvas(width, height)
          const context = canvas.getContext('2d')
          if (!context) return []
          const sky = context.createLinearGradient(0, 0, 0, height)
          sky.addColorStop(0, `hsl(${String(hue)} 60% 72%)`)
          sky.addColorStop(1, `hsl(${String(hue + 40)} 70% 88%)`)
          context.fillStyle = sky
          context.fillRect(0, 0, width, height)
          context.fillStyle = '#fff6e0'
          context.beginPath()
          context.arc(width * 0.72, height * 0.3, Math.min(width, height) * 0.1, 0, 2 * Math.PI)
          context.fill()
          for (const [depth, light] of [
            [0.55, 55],
            [0.68, 38],
            [0.82, 24],
          ] as const) {
            context.fillStyle = `hsl(${String(hue + 60 * depth)} 35% ${String(light)}%)`
            context.beginPath()
            context.moveTo(0, height)
            for (let step = 0; step <= 40; step += 1) {
              const wave = Math.sin(step * 0.5 + depth * 9) * 0.05 + Math.sin(step * 0.17 + depth * 5) * 0.08
              context.lineTo((step / 40) * width, (depth + wave) * height)
            }
            context.lineTo(width, height)
            context.fill()
          }
          const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
          return [...new Uint8Array(await blob.arrayBuffer())]
        }),
      ),
    landscapes,
  )
  return drawn.map((bytes) => Buffer.from(bytes))
}

const paragraph =
  'The city lies on both banks of a river, and on more hills than anyone has counted. Those who walk see most of it: the streets are narrow, the squares are wide, and the light is best in the morning.'

/** A document of two pages with real text. */
async function drawReport(page: Page): Promise<Buffer> {
  await page.setContent(
    `<style>body { font: 12pt/1.6 serif; margin: 2cm } h2 { break-before: page }</style>
    <h1>Three days in Rome</h1>${`<p>${paragraph}</p>`.repeat(5)}<h2>The second day</h2>${`<p>${paragraph}</p>`.repeat(4)}`,
  )
  return page.pdf({ format: 'A4' })
}

/** A sun that rises. On a busy machine, a recording of a fixed time has no frames. */
async function drawFilm(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 960, height: 540 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
    recorder.start(100)
    const size = () => parts.reduce((sum, part) => sum + part.size, 0)
    for (let frame = 0; frame < 60 || size() < 20_000; frame += 1) {
      await new Promise(requestAnimationFrame)
      if (!context) break
      const sky = context.createLinearGradient(0, 0, 0, 540)
      sky.addColorStop(0, '#7fa6d9')
      sky.addColorStop(1, '#f7d9b0')
      context.fillStyle = sky
      context.fillRect(0, 0, 960, 540)
      context.fillStyle = '#fff6e0'
      context.beginPath()
      context.arc(640, 360 - (frame % 120), 60, 0, 2 * Math.PI)
      context.fill()
      context.fillStyle = '#3d5a4c'
      context.fillRect(0, 400, 960, 140)
    }
    recorder.stop()
    await stopped
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  return Buffer.from(bytes)
}

/**
 * Files for pictures of the page.
 * @param folder where they are written
 */
export async function createSampleFiles(page: Page, folder: string): Promise<SampleFile[]> {
  const pictures = await drawLandscapes(page)
  const files: readonly (readonly [string, Buffer])[] = [
    ...landscapes.map(({ name }, index) => [name, pictures[index] ?? Buffer.alloc(0)] as const),
    ['film.webm', await drawFilm(page)],
    ['report.pdf', await drawReport(page)],
    ['budget.xlsx', Buffer.alloc(48_000)],
    ['interview.mp3', Buffer.alloc(7_300_000)],
    ['everything.zip', Buffer.alloc(31_000_000)],
  ]
  return Promise.all(
    files.map(async ([name, buffer]) => {
      const file = path.join(folder, name)
      await writeFile(file, buffer)
      return { name, buffer, path: file }
    }),
  )
}
