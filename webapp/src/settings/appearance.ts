import type { Settings } from './settings.ts'

/** A style sheet, a script and a background that the operator adds (docs/appearance.md). */
export function applyAppearance(settings: Settings): void {
  const { backgroundImage, backgroundColor, overlayOpacity, customCSS, customJS } = settings
  const { style } = document.documentElement
  if (backgroundColor !== '') {
    if (CSS.supports('color', backgroundColor)) style.setProperty('--background', backgroundColor)
    // eslint-disable-next-line no-console -- the author of the file looks there
    else console.warn('settings.json: “backgroundColor” has to be a colour of CSS')
  }
  if (backgroundImage !== '') {
    style.setProperty('--background-image', `url("${CSS.escape(backgroundImage)}")`)
    style.setProperty('--overlay', `${String(overlayOpacity * 100)}%`)
    document.documentElement.classList.add('pictured')
  }
  if (customCSS !== '') {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = customCSS
    document.head.append(link)
  }
  if (customJS !== '') {
    const script = document.createElement('script')
    script.src = customJS
    document.head.append(script)
  }
}
