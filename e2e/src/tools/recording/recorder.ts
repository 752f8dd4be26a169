import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { missingPrograms } from '../../../../scripts/tests/programs.ts'
import { newActor, type Observer } from '../../journeys/actor.ts'
import type { Journey, JourneyStage } from '../../journeys/journeys.ts'
import { windows } from '../../journeys/windows.ts'
import { visit } from '../../support/browser.ts'
import { settled, type Colour } from '../tour/camera.ts'
import { openScreen, sizes, type Screen } from './screen.ts'

/** Bytes of a recording. */
const maxSize = 300_000
/** Frames of a movement of the pointer. */
const steps = 7
/** How long frames are shown, in ms. */
const durations = { before: 900, step: 45, still: 250, pressed: 200, result: 2200 }

interface Frame {
  readonly picture: Buffer
  readonly ms: number
}

export const recordingName = (journey: string, colour: Colour): string => `${journey}-${colour}.webp`

/** Slow at both ends. */
const eased = (part: number) => (1 - Math.cos(Math.PI * part)) / 2

/** Draws frames of what an actor does. */
function filming(screen: Screen, size: { width: number; height: number }): Observer & { frames: Frame[] } {
  const frames: Frame[] = []
  let interaction = 0
  let position = { x: 0.5, y: 0.9 }
  const see = async (page: Page) => {
    await settled(page, undefined)
    await screen.show(await page.screenshot())
    const address = page.url().replace(/^http:\/\//, '')
    return async (more: { words: string; isPressed?: boolean; result?: boolean }, ms: number) => {
      const picture = await screen.frame({
        address,
        words: more.words,
        interaction: more.result === true ? undefined : interaction,
        isPressed: more.isPressed ?? false,
        ...position,
      })
      frames.push({ picture, ms })
    }
  }
  return {
    frames,
    async onInteraction(target, words) {
      interaction += 1
      const film = await see(target.page())
      await film({ words }, durations.before)
      const box = await target.boundingBox()
      if (!box) throw new Error(`${words}: it is not in the page`)
      const from = position
      const to = { x: (box.x + box.width / 2) / size.width, y: (box.y + box.height / 2) / size.height }
      for (let step = 1; step <= steps; step += 1) {
        const part = eased(step / steps)
        position = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
        await film({ words }, step === steps ? durations.still : durations.step)
      }
      await film({ words, isPressed: true }, durations.pressed)
    },
    async onResult(page, words) {
      const film = await see(page)
      await film({ words, result: true }, durations.result)
    },
  }
}

/** Writes frames as an animated WebP that repeats without end. */
async function encode(frames: readonly Frame[], file: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-recording-'))
  try {
    const inputs = await Promise.all(
      frames.map(async ({ picture, ms }, index) => {
        const input = path.join(folder, `${String(index)}.png`)
        await writeFile(input, picture)
        return ['-d', String(ms), '-lossless', '-m', '4', input]
      }),
    )
    await promisify(execFile)('img2webp', ['-loop', '0', '-min_size', ...inputs.flat(), '-o', file])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Plays a journey and writes a recording of it.
 * @returns its interactions, in words
 */
export async function record(
  browser: Browser,
  journey: Journey,
  { url, file }: Pick<JourneyStage, 'url' | 'file'>,
  { colour, folder }: { readonly colour: Colour; readonly folder: string },
): Promise<readonly string[]> {
  const missing = missingPrograms('webp')
  if (missing !== null) throw new Error(`recordings need ${missing}`)
  await using cleanup = new AsyncDisposableStack()
  const { device } = journey
  const screen = await openScreen(browser, device, colour)
  cleanup.defer(() => screen.context.close())
  const observer = filming(screen, windows[device])
  const actor = newActor(observer)
  await journey.play({
    url,
    actor,
    file,
    visit: async (on) => {
      const { page, context } = await visit(browser, url, {
        viewport: windows[on],
        colorScheme: colour,
        deviceScaleFactor: sizes[on].width / windows[on].width,
      })
      cleanup.defer(() => context.close())
      return page
    },
  })
  await mkdir(folder, { recursive: true })
  const output = path.join(folder, recordingName(journey.name, colour))
  await encode(observer.frames, output)
  const { size } = await stat(output)
  process.stdout.write(
    `${journey.name}, ${colour}: ${String(observer.frames.length)} frames, ${String(size)} bytes\n`,
  )
  if (size > maxSize) throw new Error(`${output}: at most ${String(maxSize)} bytes`)
  return actor.interactions
}
