import './tooltip.css'

/** ms that the pointer rests on a control before its tooltip appears. */
const delay = 500
/** Pixels to the control and to the edge of the window. */
const gap = 6

const named = '.icon-button[aria-label], .button[aria-label], .check input[aria-label]'

/** The label of a control that shows only an icon. */
function labelOf(control: Element): string {
  const words = control instanceof HTMLElement ? control.innerText.trim() : ''
  return words === '' ? (control.getAttribute('aria-label') ?? '') : ''
}

function place(tip: HTMLElement, control: Element): void {
  const target = control.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const middle = target.left + target.width / 2 - width / 2
  const left = Math.max(gap, Math.min(middle, document.documentElement.clientWidth - width - gap))
  const above = target.top - height - gap
  tip.style.left = `${String(left)}px`
  tip.style.top = `${String(above >= gap ? above : target.bottom + gap)}px`
}

/**
 * Shows the names of icon buttons, and of checkboxes without a visible label, to sighted users: for the pointer after a moment,
 * and for the keyboard at once. Escape hides it. Screen readers have the label itself.
 */
export function installTooltips(): void {
  const tip = document.createElement('div')
  tip.className = 'tooltip'
  tip.setAttribute('aria-hidden', 'true')
  tip.hidden = true
  document.body.append(tip)
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    clearTimeout(timer)
    tip.hidden = true
    tip.textContent = ''
  }
  const show = (control: Element) => {
    const label = labelOf(control)
    if (label === '' || !control.isConnected) return
    tip.textContent = label
    tip.hidden = false
    place(tip, control)
  }
  const controlOf = ({ target }: Event) =>
    (target instanceof Element ? target.closest(named) : undefined) ?? undefined
  addEventListener('pointerover', (event) => {
    hide()
    const control = event.pointerType === 'mouse' ? controlOf(event) : undefined
    if (control) timer = setTimeout(() => show(control), delay)
  })
  addEventListener('focusin', (event) => {
    hide()
    const control = controlOf(event)
    if (control?.matches(':focus-visible')) show(control)
  })
  for (const type of ['focusout', 'pointerdown', 'scroll', 'keydown'])
    addEventListener(type, hide, { capture: true, passive: true })
}
