import type { Locator, Page } from 'playwright-core'
import { downloaded, type PickedFile } from '../support/page-actions.ts'

/** Is notified of what an actor does. */
export interface Observer {
  /** Called before each interaction, with the element in view. */
  readonly onInteraction: (target: Locator, caption: string) => Promise<void>
  /** Called when the page shows a result. */
  readonly onResult: (page: Page, caption: string) => Promise<void>
}

/**
 * A person who uses the page. One interaction is a click, a choice of files (the click that opens the picker, and what
 * the person does in it), or a text in a field. Opening a link is none: the person has it before the page.
 */
export interface Actor {
  /** The captions of the interactions so far. */
  readonly interactions: readonly string[]
  readonly click: (target: Locator, caption: string) => Promise<void>
  readonly choose: (button: Locator, files: readonly PickedFile[], caption: string) => Promise<void>
  readonly fill: (field: Locator, text: string, caption: string) => Promise<void>
  /** Clicks on what starts a download. Returns the file. */
  readonly download: (target: Locator, caption: string) => Promise<PickedFile>
  /** Looks at what the page shows: no interaction. */
  readonly look: (page: Page, caption: string) => Promise<void>
}

const unobserved: Observer = { onInteraction: () => Promise.resolve(), onResult: () => Promise.resolve() }

export function newActor({ onInteraction, onResult }: Observer = unobserved): Actor {
  const interactions: string[] = []
  const begin = async (target: Locator, caption: string) => {
    await target.scrollIntoViewIfNeeded()
    interactions.push(caption)
    await onInteraction(target, caption)
  }
  return {
    interactions,
    async click(target, caption) {
      await begin(target, caption)
      await target.click()
    },
    async choose(button, files, caption) {
      await begin(button, caption)
      const [chooser] = await Promise.all([button.page().waitForEvent('filechooser'), button.click()])
      await chooser.setFiles(
        files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
      )
    },
    async fill(field, text, caption) {
      await begin(field, caption)
      await field.fill(text)
    },
    async download(target, caption) {
      await begin(target, caption)
      return downloaded(target.page(), () => target.click())
    },
    look: onResult,
  }
}
