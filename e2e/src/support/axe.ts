import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
  }[]
}

/** The accessibility violations of a page, a line each (WCAG 2.2 AA and best practices). */
export async function violations(page: Page): Promise<string[]> {
  // Animations end before the measurement: those of what is out of sight would stay where they are. A caret that blinks
  // for ever is ignored.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate<Found>(`(async () => {
    // What is out of sight keeps its old colours until it comes into sight, and is drawn.
    const sight = new CSSStyleSheet()
    // A transition that this begins, or a change just before it, would be measured halfway.
    sight.replaceSync('*, *::before, *::after { content-visibility: visible !important; transition: none !important }')
    document.adoptedStyleSheets.push(sight)
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    try {
      return await axe.run(document, { resultTypes: ['violations'] })
    } finally {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== sight)
    }
  })()`)
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`),
  )
}
