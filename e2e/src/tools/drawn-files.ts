import type { Page } from 'playwright-core'

export interface DrawnFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
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

/** Files for pictures of the page. */
export async function drawnFiles(page: Page): Promise<DrawnFile[]> {
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
  const pictures = landscapes.map(({ name }, index) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(drawn[index] ?? []),
  }))
  const others = [
    ['report.pdf', 'application/pdf', 2_400_000],
    ['budget.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 48_000],
    ['interview.mp3', 'audio/mpeg', 7_300_000],
    ['everything.zip', 'application/zip', 31_000_000],
  ] as const
  return [
    ...pictures,
    ...others.map(([name, mimeType, size]) => ({ name, mimeType, buffer: Buffer.alloc(size) })),
  ]
}
