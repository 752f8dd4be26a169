import type { Browser } from 'playwright-core'
import { journeys, type Journey } from '../../journeys/journeys.ts'
import { startServer } from '../../support/server.ts'
import type { SampleFile } from '../sample-files.ts'
import { colorSchemes } from '../tour/screenshots.ts'
import { record, recordingName } from './recorder.ts'

/** A journey with its recordings. */
export interface Recorded {
  readonly journey: Journey
  readonly interactions: readonly string[]
}

/** Records all journeys in both colour schemes, on a server whose list of uploads is empty. */
export async function recordAll(
  browser: Browser,
  sampleFiles: readonly SampleFile[],
  folder: string,
): Promise<readonly Recorded[]> {
  const [photo] = sampleFiles
  if (!photo) throw new Error('there is no file to send')
  const server = await startServer()
  try {
    const recorded: Recorded[] = []
    for (const journey of journeys) {
      const file = { name: photo.name, bytes: photo.buffer }
      const [interactions] = [
        await record(browser, journey, { url: server.url, file }, { colorScheme: 'light', folder }),
        await record(browser, journey, { url: server.url, file }, { colorScheme: 'dark', folder }),
      ]
      recorded.push({ journey, interactions })
    }
    return recorded
  } finally {
    await server.stop()
  }
}

/** The part of the tour that shows the recordings, in Markdown. */
export const journeysText = (recorded: readonly Recorded[]): readonly string[] =>
  recorded.flatMap(({ journey: { name, title }, interactions }) => {
    const [light, dark] = colorSchemes.map(
      (colorScheme) => `images/journeys/${recordingName(name, colorScheme)}`,
    )
    const list = interactions.map((caption, index) => `${String(index + 1)}. ${caption}`).join('\n')
    return [
      `### ${title}`,
      list,
      [
        '<picture>',
        `  <source media="(prefers-color-scheme: dark)" srcset="./${String(dark)}">`,
        `  <img alt="A recording: ${title}" src="./${String(light)}">`,
        '</picture>',
      ].join('\n'),
    ]
  })
