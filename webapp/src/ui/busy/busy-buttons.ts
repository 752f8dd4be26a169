/**
 * Ignores clicks on buttons and links with `aria-disabled`, which a busy button has instead of `disabled`: a disabled button loses the
 * focus. A key that sends a form clicks its button, so it is ignored, too.
 */
export function ignoreBusyButtons(): void {
  addEventListener(
    'click',
    (event) => {
      if (!(event.target instanceof Element) || !event.target.closest(":is(button, a)[aria-disabled='true']"))
        return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}
