import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Device } from '../../journeys/journeys.ts'

/** CSS pixels of a recording. */
export const sizes = {
  desktop: { width: 960, height: 684 },
  phone: { width: 390, height: 844 },
} as const satisfies Record<Device, { width: number; height: number }>

/** What a frame shows around and above the screenshot of a page. */
export interface FrameOverlay {
  /** The address of the page. */
  readonly address: string
  /** What happens. */
  readonly caption: string
  /** The number of the interaction; undefined for a result. */
  readonly interaction: number | undefined
  /** The position of the pointer, as fractions of the page size. */
  readonly x: number
  readonly y: number
  readonly isPressed: boolean
}

const styles = `
  * { box-sizing: border-box; margin: 0 }
  :root { color-scheme: light dark }
  body { display: grid; grid-template-rows: 40px 1fr 44px; height: 100vh; overflow: hidden;
    font: 15px 'DejaVu Sans', sans-serif; color: light-dark(#20241f, #e8e8e2);
    background: light-dark(#dfddd3, #2b2f2b) }
  header, footer { display: flex; align-items: center; gap: 10px; padding: 0 14px; white-space: nowrap; overflow: hidden }
  i { flex: none; width: 11px; height: 11px; border-radius: 50%; background: light-dark(#b9b6a9, #545a54) }
  #address { flex: 1; min-width: 0; padding: 5px 14px; border-radius: 99px; overflow: hidden; text-overflow: ellipsis;
    font-size: 13px; background: light-dark(#f5f4ef, #121412) }
  main { position: relative; overflow: hidden }
  img { display: block; width: 100%; height: 100% }
  b { flex: none; display: grid; place-items: center; width: 26px; height: 26px; border-radius: 50%; font-size: 14px;
    color: #fff; background: #0b6650 }
  b:empty { background: none; width: 0; margin-inline-end: -10px }
  #pointer { position: absolute; width: 0; height: 0 }
  #pointer::before { position: absolute; inset: -17px; border-radius: 50%; background: #0b665066; content: '' }
  #pointer:not(.pressed)::before { display: none }
  #pointer svg { position: absolute; width: 22px; height: 30px; filter: drop-shadow(0 1px 2px #0008) }
  .phone #pointer svg { display: none }
  .phone #pointer::before { display: block; inset: -15px; border: 2px solid #ffffffcc; background: #20241f55 }
  .phone #pointer.pressed::before { inset: -21px; background: #20241f99 }
`
const content = `<style>${styles}</style>
  <header><i></i><i></i><i></i><span id="address"></span></header>
  <main><img alt=""><div id="pointer">
    <svg viewBox="0 0 22 30"><path d="M1 1v22l6-5 4 10 4-2-4-9h8z" fill="#fff" stroke="#111" stroke-width="1.6" stroke-linejoin="round"/></svg>
  </div></main>
  <footer><b></b><span id="caption"></span></footer>`

/** A page that draws frames: a window with the screenshot of a page, the pointer and a caption. */
export interface Screen {
  /** Shows another screenshot, as PNG, from the next frame on. */
  readonly show: (screenshot: Buffer) => Promise<void>
  /** Returns the frame as PNG. */
  readonly frame: (overlay: FrameOverlay) => Promise<Buffer>
  readonly context: BrowserContext
}

export async function openScreen(
  browser: Browser,
  device: Device,
  colorScheme: 'light' | 'dark',
): Promise<Screen> {
  const context = await browser.newContext({ viewport: sizes[device], colorScheme })
  const page: Page = await context.newPage()
  await page.setContent(content)
  await page.evaluate((name) => {
    document.body.className = name
  }, device)
  return {
    context,
    show: (screenshot) =>
      page.evaluate(
        async (source) => {
          const image = document.querySelector('img')
          if (!image) return
          image.src = source
          await image.decode()
        },
        `data:image/png;base64,${screenshot.toString('base64')}`,
      ),
    async frame(overlay) {
      await page.evaluate(({ address, caption, interaction, x, y, isPressed }) => {
        const setText = (selector: string, text: string) => {
          const element = document.querySelector(selector)
          if (element) element.textContent = text
        }
        setText('#address', address)
        setText('#caption', caption)
        setText('b', interaction === undefined ? '' : String(interaction))
        const pointer = document.querySelector<HTMLElement>('#pointer')
        if (!pointer) return
        pointer.style.left = `${String(x * 100)}%`
        pointer.style.top = `${String(y * 100)}%`
        pointer.classList.toggle('pressed', isPressed)
      }, overlay)
      return page.screenshot()
    },
  }
}
