import type { Locator, Page } from 'playwright-core'
import { downloaded, type PickedFile } from '../support/page-actions.ts'

/** Sees what an actor does. */
export interface Observer {
  /** Called before each interaction, with the element in view. */
  readonly onInteraction: (target: Locator, words: string) => Promise<void>
  /** Called when the page shows a result. */
  readonly onResult: (page: Page, words: string) => Promise<void>
}

/**
 * A person who uses the page. One interaction is a click, a choice of files (the click that opens the picker, and what
 * the person does in it), or a text in a field. To open a link is none: it is what the person has before the page.
 */
export interface Actor {
  /** The interactions up to now, in words for a reader. */
  readonly interactions: readonly string[]
  readonly click: (target: Locator, words: string) => Promise<void>
  readonly choose: (button: Locator, files: readonly PickedFile[], words: string) => Promise<void>
  readonly fill: (field: Locator, text: string, words: string) => Promise<void>
  /** Clicks on what starts a download. Returns the file. */
  readonly download: (target: Locator, words: string) => Promise<PickedFile>
  /** Looks at what the page shows: no interaction. */
  readonly look: (page: Page, words: string) => Promise<void>
}

const unobserved: Observer = { onInteraction: () => Promise.resolve(), onResult: () => Promise.resolve() }

export function newActor({ onInteraction, onResult }: Observer = unobserved): Actor {
  const interactions: string[] = []
  const begin = async (target: Locator, words: string) => {
    await target.scrollIntoViewIfNeeded()
    interactions.push(words)
    await onInteraction(target, words)
  }
  return {
    interactions,
    async click(target, words) {
      await begin(target, words)
      await target.click()
    },
    async choose(button, files, words) {
      await begin(button, words)
      const [chooser] = await Promise.all([button.page().waitForEvent('filechooser'), button.click()])
      await chooser.setFiles(
        files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
      )
    },
    async fill(field, text, words) {
      await begin(field, words)
      await field.fill(text)
    },
    async download(target, words) {
      await begin(target, words)
      return downloaded(target.page(), () => target.click())
    },
    look: onResult,
  }
}
