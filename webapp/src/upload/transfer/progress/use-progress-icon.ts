import { defineStore } from '../../../base/store.ts'

const iconLink = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]')

/** A ring of which a part is drawn. @param percent from 0 to 100 */
const ring = (percent: number): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-width="6">' +
  '<circle cx="16" cy="16" r="12" stroke="#9fb5ad"/>' +
  `<circle cx="16" cy="16" r="12" stroke="#0b6b57" pathLength="100" stroke-dasharray="${String(percent)} 100" transform="rotate(-90 16 16)"/>` +
  '</svg>'

/** Draws progress as the icon of the tab. */
export const useProgressIcon = defineStore(() => {
  /** Address of the page's icon without progress. */
  let original: string | undefined
  /** @param percent from 0 to 100; undefined restores the icon of the page */
  return (percent: number | undefined): void => {
    const icon = iconLink()
    if (!icon) return
    original ??= icon.href
    icon.href = percent === undefined ? original : `data:image/svg+xml,${encodeURIComponent(ring(percent))}`
  }
})
