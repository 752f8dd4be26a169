import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { missingPrograms } from '../../../../scripts/tests/programs.ts'
import { newActor, type Observer } from '../../journeys/actor.ts'
import type { Journey, JourneyContext } from '../../journeys/journeys.ts'
import { windows } from '../../journeys/windows.ts'
import { visit } from '../../support/browser.ts'
import { settled, type ColorScheme } from '../tour/screenshots.ts'
import { openScreen, sizes, type Screen } from './screen.ts'

/** The maximum size of a recording, in bytes. */
const maxSize = 300_000
/** Number of frames of a movement of the pointer. */
const steps = 7
/** How long frames are shown, in ms. */
const durations = { before: 900, step: 45, still: 250, pressed: 200, result: 2200 }

interface Frame {
  readonly picture: Buffer
  readonly ms: number
}

export const recordingName = (journey: string, colorScheme: ColorScheme): string =>
  `${journey}-${colorScheme}.webp`

/** Eases a movement in and out. */
const eased = (part: number) => (1 - Math.cos(Math.PI * part)) / 2

/** Observes an actor, and draws frames of what it does. */
function frameRecorder(
  screen: Screen,
  size: { width: number; height: number },
): Observer & { frames: Frame[] } {
  const frames: Frame[] = []
  let interaction = 0
  let position = { x: 0.5, y: 0.9 }
  const capture = async (page: Page) => {
    await settled(page, undefined)
    await screen.show(await page.screenshot())
    const address = page.url().replace(/^http:\/\//, '')
    return async (more: { caption: string; isPressed?: boolean; result?: boolean }, ms: number) => {
      const picture = await screen.frame({
        address,
        caption: more.caption,
        interaction: more.result === true ? undefined : interaction,
        isPressed: more.isPressed ?? false,
        ...position,
      })
      frames.push({ picture, ms })
    }
  }
  return {
    frames,
    async onInteraction(target, caption) {
      interaction += 1
      const addFrame = await capture(target.page())
      await addFrame({ caption }, durations.before)
      const box = await target.boundingBox()
      if (!box) throw new Error(`${caption}: it is not in the page`)
      const from = position
      const to = { x: (box.x + box.width / 2) / size.width, y: (box.y + box.height / 2) / size.height }
      for (let step = 1; step <= steps; step += 1) {
        const part = eased(step / steps)
        position = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
        await addFrame({ caption }, step === steps ? durations.still : durations.step)
      }
      await addFrame({ caption, isPressed: true }, durations.pressed)
    },
    async onResult(page, caption) {
      const addFrame = await capture(page)
      await addFrame({ caption, result: true }, durations.result)
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
 * Runs a journey and writes a recording of it.
 * @returns the captions of its interactions
 */
export async function record(
  browser: Browser,
  journey: Journey,
  { url, file }: Pick<JourneyContext, 'url' | 'file'>,
  { colorScheme, folder }: { readonly colorScheme: ColorScheme; readonly folder: string },
): Promise<readonly string[]> {
  const missing = missingPrograms('webp')
  if (missing !== null) throw new Error(`recordings need ${missing}`)
  await using cleanup = new AsyncDisposableStack()
  const { device } = journey
  const screen = await openScreen(browser, device, colorScheme)
  cleanup.defer(() => screen.context.close())
  const observer = frameRecorder(screen, windows[device])
  const actor = newActor(observer)
  await journey.run({
    url,
    actor,
    file,
    visit: async (on) => {
      const { page, context } = await visit(browser, url, {
        viewport: windows[on],
        colorScheme,
        deviceScaleFactor: sizes[on].width / windows[on].width,
      })
      cleanup.defer(() => context.close())
      return page
    },
  })
  await mkdir(folder, { recursive: true })
  const output = path.join(folder, recordingName(journey.name, colorScheme))
  await encode(observer.frames, output)
  const { size } = await stat(output)
  process.stdout.write(
    `${journey.name}, ${colorScheme}: ${String(observer.frames.length)} frames, ${String(size)} bytes\n`,
  )
  if (size > maxSize) throw new Error(`${output}: at most ${String(maxSize)} bytes`)
  return actor.interactions
}
